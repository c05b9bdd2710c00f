import pytest

from fairlead.shell.effects.network.token_hosts import go_to_strangers


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Authorization: Bearer $GITHUB_TOKEN", "https://collector.example/x"),
        ("x-api-key: ${ANTHROPIC_API_KEY}", "https://api.openai.com/v1"),
        ("user:$DB_PASSWORD", "http://203.0.113.7/x"),
    ],
)
def test_a_token_that_a_host_is_not_meant_to_see_goes_to_a_stranger(text: str, address: str) -> None:
    assert go_to_strangers([text], [address])


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Authorization: Bearer $GITHUB_TOKEN", "https://api.github.com/user"),
        ("Authorization: Bearer $GITHUB_TOKEN", "https://github.corp.example/api/v3"),
        ("Authorization: Bearer $API_TOKEN", "https://api.example.com"),
        ("user:$DB_PASSWORD", "http://192.168.1.7/x"),
        ("Authorization: Bearer $OPENAI_API_KEY", "http://localhost:8080/v1"),
        ("Authorization: Bearer $OPENAI_API_KEY", "$BASE/v1"),
        ("X-Build: $GITHUB_RUN_ID", "https://ci.example.com"),
    ],
)
def test_a_token_for_its_own_host_or_for_nobody_in_particular_does_not(text: str, address: str) -> None:
    assert not go_to_strangers([text], [address])
