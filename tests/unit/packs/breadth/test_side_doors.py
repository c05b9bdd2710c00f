"""Programs, libraries and code that run in passing: by a variable, an option, a setting."""

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "line",
    [
        "LD_PRELOAD=/tmp/x.so ls",
        "LD_AUDIT=/tmp/x.so ls",
        "DYLD_INSERT_LIBRARIES=/private/tmp/x.dylib ls",
        "NODE_OPTIONS='--require /tmp/x.js' npm test",
        "NODE_OPTIONS=--require=/tmp/x.js npm test",
        "RUBYOPT=-r/tmp/x ruby app.rb",
        "PYTHONSTARTUP=/tmp/x.py python3",
        "JAVA_TOOL_OPTIONS=-javaagent:/tmp/x.jar mvn test",
        "RUSTC_WRAPPER='sh -c \"rm -rf ~\"' cargo build",
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER='rm -rf /etc' cargo run",
        "PERL5DB='system(\"rm -rf ~\")' perl -d x.pl",
        "BASH_ENV='$(rm -rf ~)' bash x.sh",
        "ENV='`rm -rf ~`' sh -i",
        "VIMINIT=':!rm -rf ~' vim notes.txt",
    ],
)
def test_what_a_variable_puts_into_programs_counts(line: str) -> None:
    assert decide(line) >= Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        "sort -m --compress-program=/tmp/x.sh -S 1b words.txt",
        "sort --compress-program=./x.sh words.txt",
        "openssl req -engine ./x.so",
        "ssh-keygen -D ./x.so",
        "tcpdump -i lo -w trace.pcap -G 1 -z ./x.sh",
        "wget --use-askpass=/tmp/x.sh https://example.com",
        "aria2c --on-download-error=/tmp/x.sh https://example.com/a",
        "nano -s /tmp/x.sh notes.txt",
        "nmap --script /tmp/x.nse localhost",
        "mysql -u root --default-auth=../../../../tmp/x --plugin-dir=/tmp",
        "yum --enableplugin=y --setopt=pluginpath=/tmp/plugins list",
        "sqlite3 :memory: \"select load_extension('/tmp/x.so')\"",
        "sqlite3 :memory: '.load /tmp/x'",
        "scp -S /tmp/x.sh a host:",
        "sftp -D 'bash -c \"rm -rf ~\"' host",
        "sftp -o ProxyCommand='rm -rf ~' host",
        "tar -cf x.tar -F 'rm -rf ~' -L 1 notes.txt",
        "tar xf host:x.tar --rmt-command='rm -rf ~'",
        "java -XX:OnOutOfMemoryError='rm -rf ~' -Xmx1m Main",
        "mvn exec:exec -Dexec.executable=rm -Dexec.args='-rf /etc'",
        'cargo --config \'target.x86_64-unknown-linux-gnu.runner=["rm","-rf","/etc"]\' run',
        "cargo --config 'build.rustc-wrapper=\"rm -rf /etc\"' build",
        'puppet apply -e "exec { \'/bin/sh -c \\"rm -rf /etc\\"\': }"',
        "ctest --build-and-test . /tmp/b --build-generator x --test-command rm -rf /etc",
        "run-parts --regex '^sh$' /bin",
        "choom -n 1 -- rm -rf ~",
    ],
)
def test_what_an_option_runs_in_passing_counts(line: str) -> None:
    assert decide(line) >= Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 ./build/app",
        "LD_PRELOAD=./build/libfoo.so ./build/app",
        "NODE_OPTIONS=--max-old-space-size=4096 npm run build",
        "NODE_OPTIONS='--require ./test/setup.js' npx mocha",
        "RUBYOPT=-W0 bundle exec rspec",
        "JAVA_TOOL_OPTIONS=-Xmx1g mvn test",
        "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=./tmp mvn test",
        "RUSTC_WRAPPER=sccache cargo build",
        "CC='ccache gcc' make",
        "CMAKE_C_COMPILER_LAUNCHER=ccache cmake -B build",
        "ENV=production node app.js",
        "GOFLAGS=-mod=mod go build ./...",
        "sort --compress-program=gzip words.txt",
        "tar -I pigz -cf x.tgz src",
        "tar xf x.tar -F",
        "openssl engine -t pkcs11",
        "nmap --script=default localhost",
        "sqlite3 app.db '.load ./vec0'",
        "protoc --plugin=protoc-gen-ts=./node_modules/.bin/protoc-gen-ts a.proto",
        "npm ci --engine-strict",
        "k6 run /tmp/load.js",
        "jq -n --arg c 'redis-cli MODULE LOAD /tmp/x.so' '{command: $c}'",
        "java -XX:+HeapDumpOnOutOfMemoryError -jar app.jar",
        "mvn exec:java -Dexec.mainClass=com.example.Main",
        "cargo --config net.git-fetch-with-cli=true build",
        "scp dist/app.tgz deploy@staging.example:/srv/app/",
        "sftp host:/srv/a.csv /tmp/",
        "ctest --output-on-failure",
    ],
)
def test_helpers_of_the_system_and_of_the_project_are_ordinary(line: str) -> None:
    assert decide(line) is Decision.CONTINUE
