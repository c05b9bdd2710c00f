"""Scripts that the manifest of a package names."""

from __future__ import annotations

import json

import pytest

from tests.unit.shell.following.recipe_files.project_kit import commands_in, places_in, read_in


def _package(**scripts: str) -> str:
    return json.dumps({"name": "app", "scripts": scripts}, indent=2)


_FILES = {
    "package.json": _package(
        build="tsc -p .", prebuild="rm -rf dist", test="vitest run", postinstall="node setup.js",
        wipe="rm -rf ~",
        **{"lint:js": "eslint .", "lint:css": "stylelint ."},
    )
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("npm run build", ["rm -rf dist", "tsc -p ."]),
        ("npm run build -- --watch", ["rm -rf dist", "tsc -p . --watch"]),
        ("npm run-script build --silent", ["rm -rf dist", "tsc -p ."]),
        ("npm test", ["vitest run"]),
        ("npm t", ["vitest run"]),
        ("npm install", ["node setup.js"]),
        ("npm ci", ["node setup.js"]),
        ("npm install left-pad", []),
        ("yarn add left-pad", ["node setup.js"]),
        ("npm ci --ignore-scripts", []),
        ("npm run", []),
        ("npm build", []),
        ("npm ls", []),
        ("yarn build --watch", ["rm -rf dist", "tsc -p . --watch"]),
        ("yarn", ["node setup.js"]),
        ("yarn run build", ["rm -rf dist", "tsc -p ."]),
        ("pnpm build", ["rm -rf dist", "tsc -p ."]),
        ("pnpm run wipe", ["rm -rf /home/no-one"]),
        ("bun run wipe", ["rm -rf /home/no-one"]),
        ("bun run build", ["rm -rf dist", "tsc -p ."]),
        ("node --run wipe", ["rm -rf /home/no-one"]),
        ("run-s 'lint:*'", ["eslint .", "stylelint ."]),
        ("concurrently 'npm:lint:*' 'ls x'", ["npm:lint:*", "ls x", "eslint .", "stylelint ."]),
        (
            "pnpm run '/^wipe/'",
            [
                "tsc -p .",
                "rm -rf dist",
                "vitest run",
                "node setup.js",
                "rm -rf /home/no-one",
                "eslint .",
                "stylelint .",
            ],
        ),
        ("corepack pnpm run wipe", ["rm -rf /home/no-one"]),
        ("deno task wipe", ["rm -rf /home/no-one"]),
    ],
)
def test_a_runner_runs_the_scripts_that_it_is_told_and_no_others(line: str, commands: list[str]) -> None:
    assert commands_in(_FILES, line) == commands


def test_any_script_may_run_where_its_name_is_not_known() -> None:
    assert "rm -rf /home/no-one" in commands_in(_FILES, 'npm run "$TASK"')


def test_scripts_that_run_scripts_are_followed_and_end() -> None:
    files = {"package.json": _package(a="npm run b && npm run a", b="yarn c", c="rm -rf ~")}
    assert "rm -rf /home/no-one" in commands_in(files, "npm run a")
    assert not read_in(files, "npm run a").opaque


def test_the_nearest_manifest_above_counts_and_its_folder_is_where_scripts_run() -> None:
    files = {"package.json": _package(build="rm -rf out"), "web/package.json": _package(build="rm -rf dist")}
    assert places_in(files, "cd src && npm run build")[-1] == ("rm -rf out", "")
    assert places_in(files, "npm --prefix web run build") == [("rm -rf dist", "web")]
    assert places_in(files, "pnpm -C web build") == [("rm -rf dist", "web")]
    assert places_in(files, "yarn --cwd web build") == [("rm -rf dist", "web")]


_MANY = {
    "package.json": json.dumps({"workspaces": ["packages/*"], "scripts": {"build": "ls top"}}),
    "packages/a/package.json": '{"name": "@app/a", "scripts": {"build": "ls a", "postinstall": "ls pa"}}',
    "packages/b/package.json": json.dumps({"name": "@app/b", "scripts": {"build": "ls b"}}),
    "packages/b/project.json": json.dumps(
        {"targets": {"ship": {"executor": "nx:run-commands", "options": {"command": "rm -rf /srv"}}}}
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("npm run build", ["ls top"]),
        ("npm run build -w @app/a", ["ls a"]),
        ("npm run build --workspace=packages/b", ["ls b"]),
        ("npm run build --workspaces", ["ls a", "ls b", "ls top"]),
        ("npm install", ["ls pa"]),
        ("yarn workspace @app/b build", ["ls b"]),
        ("yarn workspaces foreach run build", ["ls a", "ls b", "ls top"]),
        ("pnpm --filter @app/a build", ["ls a"]),
        ("pnpm -r build", ["ls a", "ls b", "ls top"]),
        ("pnpm --filter './packages/*' run build", ["ls a", "ls b"]),
        ("turbo run build", ["ls a", "ls b", "ls top"]),
        ("turbo build --filter=@app/a", ["ls a", "ls top"]),
        ("lerna run build --scope @app/b", ["ls b", "ls top"]),
        ("nx run @app/b:ship", ["rm -rf /srv"]),
        ("nx run-many -t ship", ["rm -rf /srv"]),
    ],
)
def test_workspaces_run_their_own_scripts(line: str, commands: list[str]) -> None:
    assert commands_in(_MANY, line) == commands


def test_nodemon_runs_what_its_settings_say() -> None:
    assert commands_in({"nodemon.json": '{"exec": "rm -rf ~"}'}, "nodemon") == ["rm -rf /home/no-one"]


def test_the_settings_may_name_what_runs_every_script() -> None:
    files = {**_FILES, ".npmrc": "script-shell=./evil.sh\n"}
    assert "./evil.sh -c tsc -p ." in commands_in(files, "npm run build")
    assert "tsc -p ." in commands_in({**_FILES, ".npmrc": "script-shell=/bin/bash\n"}, "npm run build")


def test_composer_runs_scripts_events_and_what_they_refer_to() -> None:
    scripts = {
        "post-install-cmd": ["@clean", "@php artisan migrate", "Acme\\Hooks::run"],
        "clean": "rm -rf /srv",
    }
    files = {"composer.json": json.dumps({"scripts": scripts})}
    assert commands_in(files, "composer install") == ["php artisan migrate", "rm -rf /srv"]
    assert commands_in(files, "composer run clean") == ["rm -rf /srv"]
    assert commands_in(files, "composer install --no-scripts") == []


def test_deno_runs_a_task_with_what_it_depends_on() -> None:
    text = '{ // tasks\n"tasks": {"dev": {"command": "ls", "dependencies": ["gen"]}, "gen": "rm -rf /srv",},}'
    assert commands_in({"deno.jsonc": text}, "deno task dev") == ["ls", "rm -rf /srv"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"scripts": []}', '{"scripts": {"build": 5}}', "null", "[" * 5000]
)
def test_a_manifest_that_is_none_runs_nothing(text: str) -> None:
    assert commands_in({"package.json": text}, "npm run build") == []


def test_a_manifest_that_the_line_wrote_is_read_in_the_same_way() -> None:
    line = """echo '{"scripts": {"a": "ls", "b": "rm -rf ~"}}' > package.json && npm run"""
    assert "rm -rf /home/no-one" not in commands_in({}, f"{line} a")
    assert "rm -rf /home/no-one" in commands_in({}, f"{line} b")
