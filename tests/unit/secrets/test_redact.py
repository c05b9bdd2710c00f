from __future__ import annotations

import time

import pytest

from fairlead.secrets.redact import redact, redact_text

CASES = {
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI aws s3 ls": "wJalrXUtnFEMI",
    "export TOKEN=abc123 && ls": "abc123",
    "export A_TOKEN='a b c' B=1": "a b c",
    "DB_PASS=hunter2 ./run": "hunter2",
    "OPENAI_KEY=abcdefgh123 python x.py": "abcdefgh123",
    "mysql -u root -phunter2 db": "hunter2",
    "mysql --password hunter2 db": "hunter2",
    "tool --db-password 'hunter two' db": "hunter two",
    "sshpass -p 'hunter two' ssh host": "hunter two",
    "redis-cli -h box -a hunter2 get x": "hunter2",
    "curl -H 'Authorization: Bearer abc.def' https://x": "abc.def",
    "curl -H 'X-Api-Key: abc123' https://x": "abc123",
    "curl -u me:hunter2 https://x": "hunter2",
    "bearer eyJabc123def456": "eyJabc123def456",
    "git clone https://me:hunter2@example.com/x": "hunter2",
    "psql postgres://u:p@h/db": ":p@",
    'curl -d \'{"password":"hunter2","user":"x"}\'': "hunter2",
    r'echo "{\"password\": \"hunter2\", \"a\": 1}"': "hunter2",
    "password: hunter2\nuser: x": "hunter2",
    "Set-Cookie: sid=abc123; Path=/": "abc123",
    "kubectl create secret generic x --from-literal=password=hunter2": "hunter2",
    "aws configure set aws_secret_access_key wJalrXUtnFEMIK7MDENG": "wJalrXUtnFEMIK7MDENG",
    "machine h login me password hunter2": "hunter2",
    "https://x/?sig=abcdefghijk&access_token=zzz1": "zzz1",
    "os.environ['TOKEN'] = 'abc123'": "abc123",
    "openssl rsa -passin pass:hunter2": "hunter2",
    "ghp_" + "a1B2c3D4e5" * 4: "ghp_",
    'curl -H "Authorization: Bearer $X abc123"': "abc123",
    'curl -H "Authorization: Bearer letmein $X"': "letmein",
    'curl -H "Authorization: letmein $X"': "letmein",
    "PASSWORD\u0130=hunter2 \u0130 TOKEN=abc123": "abc123",
}


@pytest.mark.parametrize("text", CASES)
def test_what_stands_where_a_secret_belongs_is_taken_out(text: str) -> None:
    redacted = redact_text(text)
    assert CASES[text] not in redacted
    assert "[redacted:" in redacted


@pytest.mark.parametrize(
    "text",
    [
        "ls -la",
        "PASSWORD=$DB_PASSWORD ./run",
        "--token ${TOKEN} x",
        "def login(password: str, token: int) -> None: ...",
        "token = get_token()",
        "max_tokens=4096 input_tokens: 12",
        "password_file=/run/secrets/db",
        "docker login --password-stdin",
        "PWD=/home/x OLDPWD=/y",
        "echo the secret of a good password",
        "tokenizer=fast",
        "https://example.com:8080/path",
        "echo 'user ALL=(ALL) NOPASSWD: ALL' >> /etc/sudoers",
        "gpg -a --export-secret-keys ABCD1234",
        'curl -H "Authorization: Bearer $TOKEN" https://x',
        'curl -u "$USER:$PASS" https://x',
        "API_KEY=\nDATABASE_URL=postgres",
    ],
)
def test_what_is_no_secret_stays_readable(text: str) -> None:
    assert redact_text(text) == text


def test_the_rest_of_a_command_stays_as_it_was() -> None:
    assert redact_text("cd /x && export TOKEN=abc && ls") == "cd /x && export TOKEN=[redacted:token] && ls"


def test_a_private_key_is_taken_out_whole_even_without_its_end() -> None:
    body = "\n".join(["MIIEowIBAAKCAQEAx1y2"] * 8)
    for end in ("\n-----END RSA PRIVATE KEY-----", ""):
        redacted = redact_text(f"cat <<E\n-----BEGIN RSA PRIVATE KEY-----\n{body}{end}")
        assert redacted == "cat <<E\n[redacted:private-key]"


def test_the_name_of_a_field_makes_its_value_a_secret_at_any_depth() -> None:
    data = {"a": [{"client_secret": "x1", "note": "fine"}], "password": 1234, "api_key": ["ghp", {"b": 1}]}
    assert redact(data) == {
        "a": [{"client_secret": "[redacted:secret]", "note": "fine"}],
        "password": "[redacted:password]",
        "api_key": ["ghp", {"b": 1}],
    }


def test_counts_of_tokens_are_no_tokens() -> None:
    data = {"tokens": 5, "max_tokens": 9, "token": 3, "token_usage": {"input_tokens": 1}, "password": True}
    assert redact(data) == data


def test_a_key_that_holds_a_secret_is_redacted_too() -> None:
    assert redact({"TOKEN=abc123": 1}) == {"TOKEN=[redacted:token]": 1}


@pytest.mark.parametrize(
    "seed", ["password", "password=", "://a:", "mysql ", "-----BEGIN PRIVATE KEY-----", "--token ", "bearer "]
)
def test_the_work_grows_with_the_text_and_no_faster(seed: str) -> None:
    def cost(size: int) -> float:
        text = seed * (size // len(seed))
        start = time.process_time()
        redact_text(text)
        return time.process_time() - start

    cost(1000)
    small = min(cost(16_000) for _ in range(3))
    large = min(cost(128_000) for _ in range(3))
    assert large < 40 * small + 0.05  # eight times the text; a quadratic scan would take 64 times as long
