"""Deployments and releases: one idea, one rule."""

from pathlib import Path

import pytest

from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "line",
    [
        "vercel deploy --prod",
        "vercel --prod",
        "railway up",
        "railway redeploy -y",
        "fly deploy",
        "flyctl deploy --remote-only",
        "wrangler deploy",
        "npx wrangler publish",
        "netlify deploy --prod",
        "firebase deploy --only functions",
        "supabase db push",
        "npx prisma migrate deploy",
        "kubectl --context prod apply -f k8s/",
        "kubectl apply -f deploy.yaml -n production",
        "helm upgrade --install app ./chart -n production",
        "gh release create v1.2.3",
        "serverless deploy --stage prod",
        "cdk deploy --all --require-approval never",
        "eb deploy",
        "gcloud run deploy api --source .",
        "gcloud app deploy",
        "az webapp deploy --resource-group rg --name app --src-path x.zip",
        "git push heroku main",
        "cap production deploy",
        "ssh deploy@prod.example.com 'cat /srv/app/.env'",
        "pulumi up --yes",
        "kubectl rollout undo deployment/api -n prod",
        "amplify publish",
        "sls deploy",
        "docker push registry.example.com/app:latest",
        "kamal deploy",
        "dokku ps:rebuild app",
        "git push production HEAD:main",
        "RAILS_ENV=production bin/rails db:migrate",
        "mytool deploy --env production",
        "make deploy ENV=prod",
        "npx knex migrate:latest --env production",
        "docker stack deploy -c stack.yml prod-web",
        "argocd app sync web",
        "kubectl set image deploy/api api=app:2 -n prod",
        "kubectl --context arn:aws:eks:eu-west-1:1:cluster/main apply -f x.yaml",
        "vercel promote https://x.vercel.app",
        "npm exec wrangler deploy",
        "pnpm dlx vercel --prod --yes",
        "yarn vercel --prod",
        'gh release create v2.0.0 dist/* --notes "dev release"',
        "cd infra && terragrunt apply -auto-approve",
        "eas update --branch production",
        "alembic -x env=prod upgrade head",
        "ansible-playbook -i inventories/production site.yml",
    ],
)
def test_what_everyone_would_get_is_asked_about(line: str) -> None:
    assert decide(line).objects


@pytest.mark.parametrize(
    "line",
    [
        "vercel dev",
        "vercel ls",
        "vercel deploy",
        "netlify deploy",
        "fly status",
        "wrangler dev",
        "kubectl --context kind-dev apply -f k8s/",
        "kubectl --context minikube apply -f k8s/",
        "kubectl apply --dry-run=client -f k8s/",
        "helm template ./chart",
        "helm upgrade --install app ./chart --kube-context docker-desktop",
        "serverless offline",
        "cdk synth",
        "cdk diff",
        "prisma migrate dev",
        "supabase start",
        "firebase emulators:start",
        "gh release list",
        "wrangler deploy --dry-run",
        "ssh prod uptime",
        "git push origin main",
        "git push origin production",
        "NODE_ENV=production npm run build",
        "RAILS_ENV=test bin/rails db:migrate",
        "mytool deploy status --env production",
        "mytool deploy --env staging",
        "make deploy",
        "vercel build --prod",
        "vercel pull --environment=production",
        "vercel env ls production",
        "fly deploy -a shop-staging",
        "kubectl apply -f k8s/",
        "kubectl -n dev set image deploy/api api=app:2",
        "helm upgrade --install web ./chart",
        "helm install x ./chart",
        "wrangler deploy --env dev",
        'firebase emulators:exec "npm test"',
        "prisma migrate status",
        "npx prisma migrate dev --name init",
        "cd deploy/production && terraform plan",
        "ls deploy/prod",
        "cat deploy/production/values.yaml",
        "rails db:migrate",
        "alembic upgrade head",
        "docker compose -f docker-compose.prod.yml build",
        "docker compose -f docker-compose.prod.yml config",
        "gh release create v1 --draft",
        "gh release view v1",
        "grep -rn deploy production/",
        "docker service ls",
        "mkdir -p deploy/prod",
        "git checkout -b deploy/production",
        "supabase functions serve",
        "amplify pull",
        "ansible-playbook -i inventories/production site.yml --check",
        "ansible-playbook -i inventories/staging site.yml",
        "npm upgrade",
    ],
)
def test_what_only_is_tried_out_passes(line: str) -> None:
    assert not decide(line).objects


@pytest.mark.parametrize(
    ("context", "asked"), [("kind-dev", False), ("docker-desktop", False), ("eks-main", True), ("", False)]
)
def test_without_a_named_cluster_the_current_one_of_the_client_counts(
    tmp_path: Path, context: str, asked: bool
) -> None:
    settings = tmp_path / "config"
    settings.write_text(f"apiVersion: v1\ncurrent-context: {context}\nkind: Config\n")
    assert decide(f"KUBECONFIG={settings} kubectl apply -f k8s/").objects is asked
