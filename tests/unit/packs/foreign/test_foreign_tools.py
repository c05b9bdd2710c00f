"""Calls of MCP servers and of tools that no agent ships."""

import pytest

from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolKind
from tests.unit.packs.guard_kit import ROOT, judge, tool_event

HARMLESS: list[tuple[str, dict[str, object]]] = [
    ("mcp__github__create_issue", {"title": "rm -rf / in deploy.sh", "body": "also DROP TABLE users;"}),
    ("mcp__github__delete_file", {"path": "src/app/x.py", "message": "git push --force"}),
    ("mcp__github__search_code", {"q": "rm -rf repo:o/r"}),
    ("mcp__postgres__query", {"sql": "SELECT * FROM users WHERE deleted_at IS NULL"}),
    ("mcp__postgres__query", {"sql": "EXPLAIN DELETE FROM users"}),
    ("mcp__notion__search", {"query": "DELETE FROM users; how"}),
    ("mcp__filesystem__write_file", {"path": f"{ROOT}/docs/a.md", "content": "curl x | sh"}),
    ("mcp__filesystem__move_file", {"source": f"{ROOT}/docs/a.md", "destination": f"{ROOT}/docs/b.md"}),
    ("mcp__filesystem__delete_file", {"path": "/tmp/x.txt"}),
    ("mcp__filesystem__delete_directory", {"path": f"{ROOT}/build"}),
    ("mcp__puppeteer__puppeteer_evaluate", {"script": "(() => { return document.title; })()"}),
    ("mcp__jupyter__execute_code", {"code": "df.drop(columns=['a'])\ndel df"}),
    ("mcp__shell__run", {"command": "git", "args": ["commit", "-m", "rm -rf /; git push --force"]}),
    ("mcp__thinking__think", {"thought": "First rm -rf build, then git reset --hard"}),
    ("mcp__kubernetes__kubectl_get", {"resourceType": "pods", "name": "delete-worker"}),
    ("mcp__kubernetes__kubectl_delete", {"resourceType": "pod", "name": "a", "dryRun": True}),
    ("mcp__kubernetes__stop_port_forward", {"id": "x"}),
    ("mcp__docker__remove_container", {"container_id": "web"}),
    ("mcp__mongodb__delete-many", {"collection": "carts", "filter": {"id": "test-1"}}),
    ("mcp__redis__delete", {"key": "cart:1"}),
    ("mcp__memory__delete_entities", {"entityNames": ["old"]}),
    ("mcp__figma__delete_node", {"nodeId": "1:2"}),
    ("mcp__azure__list_deleted_keyvaults", {}),
    ("mcp__supabase__deploy_edge_function", {"name": "delete-user"}),
    ("mcp__git__git_reset", {"repo_path": ROOT}),
    ("mcp__git__git_commit", {"repo_path": ROOT, "message": "git push --force; terraform destroy"}),
    ("mcp__git__git_reset", {"repo_path": ROOT, "mode": "soft", "commit": "HEAD~1"}),
    ("mcp__git__git_push", {"repo_path": ROOT, "remote": "origin", "branch": "fix", "force": False}),
    ("mcp__filesystem__get_file_info", {"path": f"{ROOT}/.env"}),
    ("mcp__github__search_issues", {"q": "delete repository"}),
    ("mcp__github__create_branch", {"branch": "remove-legacy"}),
    ("mcp__github__remove_sub_issue", {"issue_number": 1}),
    ("mcp__kubernetes__kubectl_get", {"resourceType": "secrets", "output": "name"}),
    ("PowerShell", {"command": "Test-Path .env; Write-Host 'git push --force'"}),
    ("mcp__http__request", {"method": "DELETE", "url": "http://localhost:3000/items/1"}),
    ("mcp__slack__post_message", {"text": "password = hunter2, they said"}),
    ("mcp__mobile__mobile_uninstall_app", {"bundle_id": "com.example"}),
]
DANGEROUS: list[tuple[str, dict[str, object]]] = [
    ("mcp__filesystem__write_file", {"path": f"{ROOT}/.claude/settings.json", "content": "{}"}),
    ("mcp__filesystem__edit_file", {"path": f"{ROOT}/.claude/settings.json", "edits": []}),
    ("mcp__filesystem__move_file", {"source": f"{ROOT}/.git", "destination": "/tmp/x"}),
    ("mcp__filesystem__copy_file", {"source": f"{ROOT}/.env", "destination": "/tmp/x"}),
    ("mcp__filesystem__delete_directory", {"path": ROOT}),
    ("mcp__filesystem__remove", {"path": "~/Documents", "recursive": True}),
    ("mcp__postgres__query", {"sql": "DROP TABLE users"}),
    ("mcp__postgres__query", {"sql": "EXPLAIN (VERBOSE, ANALYZE) DELETE FROM users"}),
    ("mcp__supabase__execute_sql", {"query": "delete from users"}),
    ("mcp__jupyter__execute_code", {"code": "import shutil\nshutil.rmtree('/home/no-one')"}),
    ("mcp__shell__run", {"command": "rm", "args": ["-rf", "/home/no-one"]}),
    ("mcp__shell__run", {"commands": ["ls", "rm -rf ~"]}),
    ("mcp__terminal__type", {"input": "git push --force\n"}),
    ("mcp__aws__call_aws", {"cli_command": "aws s3 rb s3://prod --force"}),
    ("mcp__k8s__kubectl_delete", {"resourceType": "namespace", "name": "prod"}),
    ("mcp__kubectl__run", {"command": "delete ns prod"}),
    ("mcp__docker__remove_volume", {"volume_name": "pgdata"}),
    ("mcp__docker__compose_down", {"project": "shop", "volumes": True}),
    ("mcp__mongodb__drop-collection", {"collection": "orders"}),
    ("mcp__mongodb__delete-many", {"collection": "orders", "filter": {}}),
    ("mcp__redis__execute", {"command": "FLUSHALL"}),
    ("mcp__neon__run_sql_transaction", {"params": {"sqlStatements": ["DROP TABLE a"]}}),
    ("mcp__neo4j__write_neo4j_cypher", {"query": "MATCH (n) DETACH DELETE n"}),
    ("mcp__gcs__deleteBucket", {"name": "prod"}),
    ("mcp__gcloud__run_gcloud_command", {"args": ["projects", "delete", "prod"]}),
    ("mcp__terraform__ExecuteTerraformCommand", {"command": "destroy"}),
    ("mcp__linode__instances", {"action": "delete", "linode_id": 1}),
    ("mcp__git__git_push", {"remote": "origin", "branch": "main", "force": True}),
    ("mcp__git__git_reset", {"mode": "hard"}),
    ("mcp__git-server__push", {"path": ROOT, "args": ["--force", "origin", "main"]}),
    ("mcp__github__update_ref", {"ref": "heads/main", "force": True}),
    ("mcp__prisma__migrate-reset", {"projectCWD": ROOT}),
    ("mcp_git_git_reset", {"mode": "hard"}),
    ("mcp__git__git_show", {"revision": "HEAD:.env"}),
    ("mcp__git__git_checkout", {"paths": ["."]}),
    ("mcp__git__git_branch_delete", {"branch": "x", "force": True}),
    ("mcp__windows__powershell", {"command": "Remove-Item -Recurse -Force $HOME"}),
    ("PowerShell", {"command": "git status; git push --force"}),
    ("mcp__desktop__kill_process", {"pid": 1}),
    ("mcp__http__request", {"method": "DELETE", "url": "https://api.github.com/repos/acme/app"}),
    ("mcp__filesystem__delete_directory", {"path": "src", "recursive": True}),
    ("mcp__node__run_js", {"code": "require('fs').rmSync('/home/no-one', {recursive: true})"}),
]
ASKED: list[tuple[str, dict[str, object]]] = [
    ("mcp__kubernetes__kubectl_scale", {"name": "api", "replicas": 0}),
    ("mcp__kubernetes__node_management", {"operation": "drain", "nodeName": "n1"}),
    ("mcp__supabase__pause_project", {"project_id": "x"}),
    ("mcp__aws-iam__attach_user_policy", {"user_name": "ci", "policy_arn": "AdministratorAccess"}),
    ("mcp__somewhere__delete_repository", {"repo": "shop"}),
    ("mcp__github__delete_branch", {"branch": "main"}),
    ("mcp__github__add_collaborator", {"repo": "app", "username": "x"}),
    ("mcp__github__update_branch_protection", {"branch": "main"}),
    ("mcp__github__update_repository", {"repo": "app", "private": False}),
    ("mcp__gitlab__delete_project", {"project_id": "12"}),
    ("mcp_github_add_collaborator", {"username": "x"}),
    ("mcp__github__add_deploy_key", {"key": "x"}),
    ("mcp__github__transfer_repository", {"new_owner": "x"}),
    ("mcp__jenkins__delete_job", {"job": "x"}),
    ("mcp__linear__delete_issue", {"id": "x"}),
    ("mcp__google-drive__delete_file", {"fileId": "x"}),
    ("mcp__gmail__batch_delete_emails", {"messageIds": ["x"]}),
]


def _decision(tool: str, given: dict[str, object]) -> Decision:
    event = tool_event(ToolKind.MCP, name=tool)
    assert event.tool is not None
    return judge(event.replace(tool=event.tool.replace(input=given))).decision


@pytest.mark.parametrize(("name", "given"), HARMLESS)
def test_words_in_the_input_of_a_foreign_tool_are_no_alarm(name: str, given: dict[str, object]) -> None:
    assert _decision(name, given) < Decision.ASK


@pytest.mark.parametrize(("name", "given"), DANGEROUS)
def test_what_a_foreign_tool_would_do_is_judged(name: str, given: dict[str, object]) -> None:
    assert _decision(name, given) is Decision.BLOCK


@pytest.mark.parametrize(("name", "given"), ASKED)
def test_what_a_foreign_tool_would_disturb_is_asked(name: str, given: dict[str, object]) -> None:
    assert _decision(name, given) is Decision.ASK


def test_a_key_in_a_message_to_people_is_seen() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUA" * 4
    assert _decision("mcp__slack__post_message", {"text": key}) >= Decision.ASK
