"""Key material is put together here from pieces, so that no file of the project holds a token's shape."""

import base64
import json
import random
import string
from importlib import import_module
from itertools import pairwise

import pytest

from fairlead.secrets.detect import DETECTORS, SHORTEST, find_secrets

LETTERS = string.ascii_letters + string.digits


def rnd(length: int, alphabet: str = LETTERS, seed: int = 7) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=length))


def jwt(header: object) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part(header)}.{part({'sub': '1234', 'name': 'Ada'})}.{rnd(43)}"


BASE32 = string.ascii_uppercase + "234567"
PEM = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + "\n".join(rnd(64, seed=i) for i in range(4))
PEM_END = "\n-----END RSA " + "PRIVATE KEY-----"

POSITIVE: dict[str, list[str]] = {
    "aws-access-key-id": ["AKIA" + rnd(16, BASE32), "key=ASIA" + rnd(16, BASE32, 3) + ";"],
    "aws-secret-access-key": [
        "aws_secret_access_key = " + rnd(40),
        '"AWS_SECRET_ACCESS_KEY": "' + rnd(40, LETTERS + "/+") + '"',
    ],
    "github-token": ["ghp_" + rnd(36), "x gho_" + rnd(36) + "\n", "github_pat_" + rnd(22) + "_" + rnd(59)],
    "gitlab-token": ["glpat-" + rnd(20), "glrt-" + rnd(24)],
    "slack-token": ["xoxb-" + rnd(12, string.digits) + "-" + rnd(24), "xapp-1-" + rnd(40)],
    "slack-webhook": ["https://hooks.slack.com/services/T" + rnd(8) + "/B" + rnd(8) + "/" + rnd(24)],
    "stripe-key": ["sk_live_" + rnd(24), "rk_live_" + rnd(99), "whsec_" + rnd(32)],
    "anthropic-key": ["sk-ant-api03-" + rnd(93) + "AA"],
    "openai-key": ["sk-proj-" + rnd(48), "sk-" + rnd(20) + "T3BlbkFJ" + rnd(20)],
    "google-api-key": ["AIza" + rnd(35)],
    "google-oauth-secret": ["GOCSPX-" + rnd(28)],
    "google-oauth-token": ["ya29." + rnd(80)],
    "azure-storage-key": ["AccountKey=" + rnd(86) + "=="],
    "vault-token": ["hvs." + rnd(90)],
    "shopify-token": ["shpat_" + rnd(32, "0123456789abcdef")],
    "linear-key": ["lin_api_" + rnd(40)],
    "supabase-token": ["sbp_" + rnd(40, "0123456789abcdef")],
    "groq-key": ["gsk_" + rnd(52)],
    "xai-key": ["xai-" + rnd(80)],
    "databricks-token": ["dapi" + rnd(32, "0123456789abcdef")],
    "doppler-token": ["dp.pt." + rnd(43)],
    "postman-key": ["PMAK-" + rnd(24, "0123456789abcdef") + "-" + rnd(34, "0123456789abcdef", 2)],
    "npm-token": ["//registry/:_authToken=npm_" + rnd(36)],
    "pypi-token": ["pypi-AgE" + "IcHlwaS5vcmc" + rnd(80)],
    "huggingface-token": ["hf_" + rnd(34, string.ascii_letters)],
    "sendgrid-key": ["SG." + rnd(22) + "." + rnd(43)],
    "digitalocean-token": ["dop_v1_" + rnd(64, "0123456789abcdef")],
    "fairlead-key": ["fairlead-key-v1 " + rnd(43, string.ascii_letters + string.digits) + "="],
    "age-secret-key": ["AGE-SECRET-KEY-1" + rnd(58, string.ascii_uppercase + "023456789")],
    "nkey-seed": [
        "-----BEGIN USER NKEY SEED-----\nSU" + rnd(56, string.ascii_uppercase + "234567") + "\n",
        'seed = "SU' + rnd(56, string.ascii_uppercase + "234567") + '"',
    ],
    "jwt": ["Authorization: Bearer " + jwt({"alg": "HS256", "typ": "JWT"})],
    "url-password": ["postgres://app:" + "k9Vt-2mQz" + "@db.internal:5432/app"],
    "assigned-secret": [
        'password = "' + "Tr0ub4dor&3" + '"',
        "const apiKey = '" + rnd(32) + "';",
        '"client_secret": "' + rnd(28) + '",',
        "DB_PASSWORD=" + "p8!Zx2Lq9Rt4" + "\n",
        "export SERVICE_TOKEN=" + rnd(40),
        "auth_token: " + rnd(40, "0123456789abcdef"),
    ],
    "private-key": [
        PEM + PEM_END,
        "cut off: " + PEM,
        json.dumps({"private_key": "-----BEGIN " + "PRIVATE KEY-----\n" + rnd(400)}),
        "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + rnd(300),
    ],
}

NEGATIVE: dict[str, list[str]] = {
    "vault-token": ["hvs.your-token", "hvs." + "x" * 30],
    "shopify-token": ["shpat_" + "0" * 32, "shpat_short"],
    "linear-key": ["lin_api_your_key", "lin_api_" + "x" * 40],
    "supabase-token": ["sbp_" + "0" * 40, "sbp_project"],
    "groq-key": ["gsk_" + "x" * 52, "gsk_settings"],
    "xai-key": ["xai-" + "x" * 80, "xai-grok-2"],
    "databricks-token": ["dapi" + "0" * 32, "dapi_client"],
    "doppler-token": ["dp.pt." + "x" * 43, "dp.pt.short"],
    "postman-key": ["PMAK-" + "0" * 24 + "-" + "0" * 34, "PMAK-"],
    "aws-access-key-id": ["AKIA" + "IOSFODNN7EXAMPLE", "AKIAtest", "XAKIA" + rnd(16, BASE32)],
    "aws-secret-access-key": ["aws_secret_access_key = ${AWS_KEY}", "aws_key=" + "a" * 40],
    "github-token": ["ghp_short", "ghp_" + "x" * 36, "the prefix ghp_ and then 36 characters"],
    "gitlab-token": ["glpat-" + "x" * 20, "glpat-your-token-goes-here-now"],
    "slack-token": ["xoxb-your-bot-token-goes-in-here", "xoxb-1234"],
    "slack-webhook": ["https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24],
    "stripe-key": ["sk_test_" + "4eC39HqLyjWDarjtT1", "sk_live_", "task_live_" + rnd(24)],
    "anthropic-key": ["sk-ant-...", "sk-ant-api03-" + "x" * 40],
    "openai-key": ["sk-proj-your-key-goes-right-here-please", "mask-proj-" + rnd(30)],
    "google-api-key": ["AIza" + "A" * 35, "AIzaShort"],
    "google-oauth-secret": ["GOCSPX-" + "x" * 28],
    "google-oauth-token": ["ya29.a0", "ya29." + "x" * 60],
    "azure-storage-key": ["AccountKey=$KEY", "AccountKey=" + "A" * 86 + "=="],
    "npm-token": ["npm_config_registry=https://r.invalid", "npm_lifecycle_event"],
    "pypi-token": ["pypi-AgE", "pypi-attestations==0.1"],
    "huggingface-token": ["hf_hub_download(repo_id)", "hf_" + "x" * 34],
    "sendgrid-key": ["SG.x.y"],
    "digitalocean-token": ["api_v1_users"],
    "fairlead-key": ["fairlead-key-v1 BASE64(seed)"],
    "age-secret-key": ["AGE-SECRET-KEY-1..."],
    "nkey-seed": ["NKEY SEED----- SUA...", "seed: S" + "0" * 57],
    "jwt": ["eyJhbGciOi", jwt(["not", "a", "header"])],
    "url-password": [
        "https://user:${PASSWORD}@host.invalid/x",
        "postgres://postgres:postgres@localhost/db",
        "http://localhost:8080/a@b",
    ],
    "assigned-secret": [
        'password = os.environ["DB_PASSWORD"]',
        'password = "changeme"',
        'password="' + "your-password-here" + '"',
        'token: "${{ secrets.GITHUB_TOKEN }}"',
        'label = "password reset token"',
        "token = request.headers.get('X-Token')",
        'secret_name = "prod/db/main-credentials"',
        "tokenizer = 'bert-base-uncased'",
        "def test_password_is_rejected_when_short():",
        "TOKEN_URL=https://auth.example.com/oauth/token",
        "PASSWORD_MIN_LENGTH=12",
        'api_key = "sk-xxxxxxxxxxxxxxxx"',
        "password_hash_algorithm: argon2id",
    ],
    "private-key": [
        "-----BEGIN RSA " + "PRIVATE KEY-----",
        "grep -r 'BEGIN PRIVATE KEY' .",
        "-----BEGIN PRIVATE" + " KEY-----\n...\n-----END PRIVATE" + " KEY-----",
        "-----BEGIN PUBLIC KEY-----\n" + rnd(300),
    ],
}


def kinds(text: str) -> set[str]:
    return {finding.kind for finding in find_secrets(text)}


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, texts in POSITIVE.items() for t in texts])
def test_key_material_is_found(kind: str, text: str) -> None:
    assert kind in kinds(text)
    assert kind in kinds(f"some text before {text}" if not kind.startswith("assigned") else f"# a\n{text}")


@pytest.mark.parametrize("text", [t for texts in NEGATIVE.values() for t in texts])
def test_what_only_looks_like_key_material_is_left_alone(text: str) -> None:
    assert kinds(text) == set()


def test_every_detector_has_examples_of_both_sorts() -> None:
    named = {detector.kind for detector in DETECTORS} | {"private-key"}
    assert POSITIVE.keys() == named
    assert NEGATIVE.keys() == named


def test_a_finding_covers_the_secret_and_no_more() -> None:
    secret = "ghp_" + rnd(36)
    text = f"before {secret} after"
    [finding] = find_secrets(text)
    assert text[finding.start : finding.end] == secret


def test_a_named_value_is_found_without_its_name_and_quotes() -> None:
    text = 'password = "' + "Tr0ub4dor&3" + '"'
    [finding] = find_secrets(text)
    assert text[finding.start : finding.end] == "Tr0ub4dor&3"


@pytest.mark.parametrize(
    "name", ["PassWord", "pa\u017f\u017fword", "AP\u0130_KEY", "ap\u0131key", "to\u212aen"]
)
def test_a_name_counts_in_every_case_that_a_letter_has(name: str) -> None:
    text = f"\u0130: a token\n{name} = " + '"Tr0ub4dor&3"'
    [finding] = find_secrets(text)
    assert text[finding.start : finding.end] == "Tr0ub4dor&3"


def test_no_detector_takes_fewer_characters_than_are_looked_at() -> None:
    parse = import_module("re._parser").parse
    assert min(parse(detector.pattern).getwidth()[0] for detector in DETECTORS) == SHORTEST


def test_a_name_inside_of_a_value_begins_nothing() -> None:
    value = "Tr0ub4dor&3token=9" + rnd(8)
    text = f'password="{value}"\nsecret="{value}"'
    assert [text[found.start : found.end] for found in find_secrets(text)] == [value, value]


def test_a_private_key_is_covered_from_head_to_tail() -> None:
    text = f"a\n{PEM}{PEM_END}\nb"
    [finding] = find_secrets(text)
    assert text[finding.start : finding.end] == PEM + PEM_END


def test_findings_come_in_order_and_never_overlap() -> None:
    text = "\n".join(t for texts in POSITIVE.values() for t in texts)
    findings = list(find_secrets(text))
    for before, after in pairwise(findings):
        assert before.end <= after.start
