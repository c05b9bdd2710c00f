import pytest

from fairlead.shell.effects.secret_material.secret_words import shows_secrets
from fairlead.shell.reader import read_script


def _shows(text: str) -> bool:
    (command,) = read_script(text, cwd="/p", home="/h").commands
    return any(shows_secrets(command))


@pytest.mark.parametrize(
    "text",
    [
        "bin/rails credentials:show -e production",
        "gcloud kms decrypt --ciphertext-file=a --plaintext-file=-",
        "twilio profiles:list --show-secrets",
        "az webapp config connection-string list -n a -g g",
        "aws lambda get-function-configuration --function-name f --query Environment.Variables",
        "rclone config show",
        "etcdctl get / --prefix",
    ],
)
def test_words_that_ask_for_a_secret_are_known_for_any_program(text: str) -> None:
    assert _shows(text)


@pytest.mark.parametrize(
    "text",
    [
        "rails credentials:edit",
        "aws kms encrypt --plaintext fileb://a",
        "az webapp config appsettings set --settings A=B",
        "rclone config file",
        "etcdctl get / --prefix --keys-only",
        "gh secret list",
    ],
)
def test_words_that_set_or_list_are_not(text: str) -> None:
    assert not _shows(text)
