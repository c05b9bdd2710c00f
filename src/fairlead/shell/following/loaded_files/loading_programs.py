"""Which programs load which files, and in what those are written: see `file_formats`.

A row: the programs, the places of the files, the format, and words without any of which nothing is loaded.
A place is an option (`-F`), a variable (`$KUBECONFIG`: files; `$ZDOTDIR/.zshrc`: a file in its folders), the
input (`<`), an operand that ends so (`@.tex`), what a word names (`~source\\s+(\\S+)`), files in and below a
folder that the session wrote (`spec/*.rb`), all files here that end so (`./*.tf`), or a file here (`./x`), here
or in a folder above (`x`).
"""

from __future__ import annotations

from functools import cache

from fairlead.model.value import Value

_ROWS: tuple[tuple[str, ...], ...] = (
    # connections
    ("ssh scp sftp slogin autossh sshfs mosh", "-F", "ssh"),
    ("kubectl helm kustomize helmfile k9s stern flux argocd kubectx oc skaffold istioctl", "--kubeconfig $KUBECONFIG", "kubeconfig"),
    ("aws terraform tofu cdk sam eksctl serverless", "$AWS_CONFIG_FILE $AWS_SHARED_CREDENTIALS_FILE", "aws"),
    ("curl", "-K --config $CURL_HOME/.curlrc", "options"),
    ("wget", "--config $WGETRC", "options"),
    # packages
    ("npm npx pnpm pnpx yarn", ".npmrc --userconfig --globalconfig $NPM_CONFIG_USERCONFIG $npm_config_userconfig", "npmrc"),
    ("yarn yarnpkg", ".yarnrc.yml .yarnrc", "yarnrc"),
    ("yarn yarnpkg", ".yarn/plugins/*.cjs .yarn/releases/*.cjs .yarn/releases/*.js", "javascript"),
    ("pnpm pnpx", ".pnpmfile.cjs --pnpmfile", "javascript"),
    ("bun bunx", "bunfig.toml --config", "bunfig"),
    ("pod", "Podfile", "ruby"),
    ("brew", "Brewfile --file $HOMEBREW_BUNDLE_FILE", "ruby", "bundle"),
    ("mix iex", "config/config.exs config/runtime.exs config/dev.exs config/test.exs .iex.exs", "elixir"),
    ("rebar3", "rebar.config rebar.config.script", "texts"),
    ("ghci stack cabal runghc", "./.ghci -ghci-script", "escapes"),
    ("go", "$GOENV", "goenv"),
    ("lein", "project.clj", "texts"),
    ("clojure clj", "deps.edn", "texts"),
    ("sbt", "build.sbt project/*.sbt project/*.scala", "texts"),
    ("zig", "build.zig --build-file", "texts", "build"),
    # Python
    ("python python3 pip pytest", "$PYTHONPATH/sitecustomize.py $PYTHONPATH/usercustomize.py", "python"),
    ("python python3 pip pytest", "*.pth", "pth"),
    ("pytest py.test", "$PYTEST_PLUGINS.py", "python"),
    ("gunicorn", "gunicorn.conf.py -c --config", "python"),
    ("hypercorn", "-c --config", "python"),
    ("locust", "locustfile.py -f --locustfile", "python"),
    ("flask", "app.py wsgi.py $FLASK_APP", "python"),
    ("mkdocs", "mkdocs.yml -f --config-file", "mkdocs"),
    ("jupyter jupyter-notebook jupyter-lab", "jupyter_notebook_config.py jupyter_server_config.py jupyter_lab_config.py jupyter_config.py --config", "python"),
    ("ipython", "ipython_config.py --config --profile-dir/startup/*.py $IPYTHONDIR/*.py", "python"),
    ("dvc", "dvc.yaml", "commands", "repro exp"),
    ("snakemake", "Snakefile workflow/Snakefile -s --snakefile", "texts"),
    ("snakemake", "Snakefile workflow/Snakefile -s --snakefile", "any"),
    ("pulumi", "__main__.py", "python", "preview up update refresh destroy"),
    ("pulumi", "index.ts index.js", "javascript", "preview up update refresh destroy"),
    ("ansible ansible-playbook ansible-inventory ansible-galaxy", "ansible.cfg $ANSIBLE_CONFIG", "ansible"),
    ("ansible ansible-playbook ansible-inventory", "-i --inventory --inventory-file", "script"),
    ("ansible ansible-playbook ansible-inventory", "callback_plugins/*.py library/*.py filter_plugins/*.py action_plugins/*.py lookup_plugins/*.py inventory_plugins/*.py", "python"),
    # shells
    ("bash", "$HOME/.bashrc $HOME/.bash_profile $HOME/.bash_login $HOME/.profile", "shell"),
    ("sh dash ksh", "$HOME/.profile", "shell"),
    ("zsh", "$ZDOTDIR/.zshenv $ZDOTDIR/.zshrc $ZDOTDIR/.zprofile $ZDOTDIR/.zlogin $HOME/.zshenv $HOME/.zshrc", "shell"),
    ("fish", "~source\\s+([^\\s;]+) $XDG_CONFIG_HOME/fish/config.fish", "shell"),
    ("expect", "-f -b", "expect"),
    ("batch at", "<", "shell"),
    ("mise rtx", "mise.toml .mise.toml .config/mise.toml mise/config.toml", "mise"),
    # databases
    ("psql pgcli", "< -f --file $PSQLRC ~\\\\(?:i|ir|include)\\s+(\\S+)", "statements"),
    ("sqlite3 sqlite duckdb", "< -init ~\\.read\\s+(\\S+)", "statements"),
    ("mysql mariadb", "< ~(?:source|\\\\\\.)\\s+([^\\s;]+)", "statements"),
    ("mysql mariadb mysqldump", "--defaults-file --defaults-extra-file", "mycnf"),
    ("redis-cli valkey-cli", "--eval", "lua"),
    # editors, debuggers, terminals
    ("vim vi nvim ex view gvim vimdiff", "./.vimrc ./.exrc ./.nvimrc -S -u -s ~\\bso(?:urce)?\\s+([^\\s|]+)", "vim"),
    ("nvim", "./.nvim.lua -l ~luafile\\s+([^\\s|]+)", "lua"),
    ("ed red", "<", "escapes"),
    ("gdb", "./.gdbinit -x --command -ix ~source\\s+(\\S+)", "debugger"),
    ("lldb", "./.lldbinit -s --source -S", "debugger"),
    ("tmux", "-f ~\\A((?:[\\w./~-]+/)?[\\w.-]*\\.(?:conf|tmux))\\Z", "tmux"),
    ("screen", "-c", "tmux"),
    ("R Rscript", "./.Rprofile $R_PROFILE_USER", "any"),
    ("ocaml utop", "./.ocamlinit -init", "texts"),
    ("irb", ".irbrc $IRBRC", "ruby"),
    ("pry", ".pryrc", "ruby"),
    ("rspec", ".rspec", "rspec"),
    ("gnuplot", "@.gp @.plt @.gnuplot @.gpi", "any"),
    ("groovy jshell", "@.groovy @.jsh", "groovy"),
    # build tools
    ("ng", "angular.json", "angular"),
    ("nx", "project.json nx.json", "commands"),
    ("babel mocha eslint stylelint netlify postcss", ".babelrc .babelrc.json babel.config.json .mocharc.yml .mocharc.yaml .mocharc.json .eslintrc.json .eslintrc.yml .eslintrc.yaml .stylelintrc.json .postcssrc.json netlify.toml --config", "modules"),
    ("jest", "package.json jest.config.json --config", "jest"),
    ("moon", "moon.yml moon.yaml .moon/tasks.yml", "commands"),
    ("swift", "Package.swift", "texts", "build run test package"),
    ("dotnet msbuild xbuild", "*.csproj *.fsproj *.vbproj *.targets *.props *.proj", "msbuild"),
    ("pm2", "./ecosystem.config.js ./ecosystem.config.cjs", "pm2"),
    ("gradle gradlew", "-I --init-script -b --build-file settings.gradle settings.gradle.kts build.gradle build.gradle.kts buildSrc/build.gradle buildSrc/build.gradle.kts init.gradle", "gradle"),
    ("mvn mvnw", "pom.xml -f --file", "xmlcommands"),
    ("mvn mvnw", ".mvn/extensions.xml", "extensions"),
    ("ant", "build.xml -f -buildfile", "xmlcommands"),
    ("jenkinsfile-runner", "Jenkinsfile -f --file", "texts"),
    ("autoreconf autoconf aclocal automake m4", "configure.ac configure.in", "m4"),
    ("ninja samu", "build.ninja -f -C/build.ninja", "ninja"),
    ("bazel bazelisk buck buck2 pants please plz", "BUILD BUILD.bazel BUILD* WORKSPACE WORKSPACE.bazel MODULE.bazel BUCK BUCK* TARGETS *.bzl", "texts"),
    ("bazel bazelisk", ".bazelrc --bazelrc", "bazelrc"),
    ("doxygen", "Doxyfile @ @Doxyfile @.dox @.doxy", "doxyfile"),
    ("pdflatex xelatex latex tex latexmk pdftex", "@.tex", "latex", "-shell-escape --shell-escape -enable-write18"),
    ("lualatex luatex luahbtex texlua", "@.tex", "latex"),
    ("latexmk", ".latexmkrc latexmkrc -r", "latexmkrc"),
    ("nix", "flake.nix", "texts", "develop build run shell flake print-dev-env"),
    ("nix-shell nix-build nix-instantiate", "shell.nix default.nix @.nix", "texts"),
    ("phpunit", "phpunit.xml phpunit.xml.dist -c --configuration", "phpunit"),
    ("phpunit", "--bootstrap", "php"),
    ("xmake premake5 premake", "xmake.lua premake5.lua --file", "lua"),
    ("goreleaser", ".goreleaser.yaml .goreleaser.yml goreleaser.yaml -f --config", "goreleaser"),
    ("air", ".air.toml -c", "commands"),
    # deployment
    ("tilt", "Tiltfile -f --file", "texts", "up ci"),
    ("supervisord", "supervisord.conf -c --configuration", "commands"),
    ("circusd", "@.ini", "commands"),
    ("process-compose", "process-compose.yaml process-compose.yml -f", "commands"),
    ("terragrunt", "terragrunt.hcl", "hcl"),
    ("terraform tofu terragrunt", "./*.tf", "hcl", "plan apply refresh destroy import"),
    ("terraform tofu terragrunt", "./*.tf", "provisioners", "apply destroy"),
    ("packer", "*.pkr.hcl @.pkr.hcl @.json", "packer", "build"),
    ("serverless sls", "serverless.yml serverless.yaml", "serverless"),
    ("cdk", "cdk.json", "cdk", "synth deploy diff ls list destroy watch"),
    ("sam", "Makefile", "makefile", "build sync"),
    ("wrangler", "wrangler.toml wrangler.json wrangler.jsonc -c --config", "commands", "dev deploy publish build"),
    ("netlify", "netlify.toml", "commands", "build dev deploy"),
    ("vercel", "vercel.json", "commands", "build dev"),
    ("firebase", "firebase.json --config", "commands"),
    ("skaffold", "skaffold.yaml -f --filename", "skaffold"),
    ("helm helmfile", "--post-renderer", "script"),
    ("helm", "$HELM_PLUGINS/plugin.yaml*", "commands"),
    ("helmfile", "helmfile.yaml helmfile.yml -f --file", "commands"),
    ("kustomize kubectl", "kustomization.yaml kustomization.yml", "generators", "--enable-exec"),
    ("act", ".github/workflows/*.yml .github/workflows/*.yaml", "commands", "*=-self-hosted *-self-hosted"),
    ("earthly", "Earthfile", "earthfile"),
    ("gitlab-runner gitlab-ci-local", ".gitlab-ci.yml", "commands", "exec shell"),
)  # fmt: skip


class Loading(Value):
    """One row, for one of its programs."""

    places: tuple[str, ...]
    format: str
    when: tuple[str, ...] = ()


@cache
def _table() -> dict[str, tuple[Loading, ...]]:
    found: dict[str, tuple[Loading, ...]] = {}
    for programs, places, kind, *when in _ROWS:
        row = Loading(tuple(places.split()), kind, tuple(" ".join(when).split()))
        for name in programs.split():
            found[name] = (*found.get(name, ()), row)
    return found


def loads_files(name: str) -> bool:
    return name in _table()


def loadings_of(name: str) -> tuple[Loading, ...]:
    return _table().get(name, ())
