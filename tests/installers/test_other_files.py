"""Files that are installed once: the pure wheel, the source archive, the steps of the image, the formula."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from installers.newcomer import PYTHON, Newcomer
from shipping import ROOT

pytestmark = pytest.mark.slow


def _client(newcomer: Newcomer) -> bytes:
    return (newcomer.home / ".local" / "bin" / "fairlead-hook").read_bytes()


def test_the_pure_wheel_brings_the_client_in_python(newcomer: Newcomer, built: Path) -> None:
    newcomer.run(PYTHON, "-m", "pip", "install", "--user", next(built.glob("*-any.whl")))
    assert _client(newcomer).startswith(b"#!")
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()


def test_the_source_archive_installs_without_a_compiler(newcomer: Newcomer, built: Path) -> None:
    newcomer.run(PYTHON, "-m", "pip", "install", "--user", next(built.glob("*.tar.gz")))
    assert _client(newcomer).startswith(b"#!")
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()


def test_the_source_archive_compiles_the_client_where_it_can(newcomer: Newcomer, built: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("NOT COMPILED FROM THE SOURCE ARCHIVE: there is no compiler")
    for name in ("cc", "as", "ld"):
        newcomer.can_run(name, shutil.which(name) or compiler)
    newcomer.run(PYTHON, "-m", "pip", "install", "--user", next(built.glob("*.tar.gz")))
    assert _client(newcomer).startswith(b"\x7fELF")
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()


def test_the_steps_of_the_image_leave_a_command_that_guards(newcomer: Newcomer, built: Path) -> None:
    """No image can be had to start from, so its steps are taken in folders."""
    text = (ROOT / "shipping" / "Containerfile").read_text().replace("\\\n", " ")
    steps = re.search(r"^RUN (.*)$", text, re.MULTILINE)
    assert steps
    wheels = newcomer.project / "wheels"
    shutil.copytree(newcomer.published, wheels)
    for wheel in built.glob("*.whl"):
        shutil.copy(wheel, wheels)
    newcomer.can_run("python", PYTHON)
    (newcomer.home / ".local" / "bin").mkdir(parents=True)
    step = re.sub(r"&& useradd .*", "", steps[1])
    step = step.replace("/opt/fairlead", f"{newcomer.home}/opt")
    step = step.replace("/usr/local/bin/", f"{newcomer.home}/.local/bin/").replace("/wheels", str(wheels))
    newcomer.run("sh", "-ec", step)
    assert not wheels.exists()
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()


_HOMEBREW = r"""
require "pathname"
class Formula
  PLACE = Pathname.new(ARGV.fetch(1))
  class << self
    attr_reader :checks
    def [](name) = Struct.new(:opt_bin).new(PLACE/"brewed")
    def desc(said) = said.empty? && raise("no description")
    def url(from) = from.start_with?("file://") || raise("no file")
    def sha256(sum) = sum.match?(/\A\h{64}\z/) || raise("not a hash")
    def license(name) = name
    def depends_on(name) = name
    def test(&block) = @checks = block
  end
  def libexec = PLACE/"libexec"
  def bin = PLACE/"bin"
  def buildpath = ARGV.fetch(2)
  def system(*words) = Kernel.system(*words.map(&:to_s)) || raise("#{words.join(" ")} failed")
  def shell_output(line, code)
    said = `#{line}`
    raise("#{line} ended with #{$?.exitstatus}") unless $?.exitstatus == code
    said
  end
  def assert_match(word, said) = said.include?(word) || raise("#{word} is not in #{said}")
end
class Pathname
  def install_symlink(files) = files.each { |file| mkpath; (self/File.basename(file)).make_symlink(file) }
end
load ARGV.fetch(0)
formula = Fairlead.new
formula.install
formula.instance_eval(&Fairlead.checks)
puts formula.caveats
"""


def test_the_steps_of_the_formula_leave_a_command_that_guards(newcomer: Newcomer, built: Path) -> None:
    """Homebrew is not to be had here: ruby reads the formula, and takes its steps."""
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("THE HOMEBREW FORMULA IS NOT READ: there is no ruby")
    place = newcomer.home / "cellar"
    (place / "brewed").mkdir(parents=True)
    (place / "brewed" / "python3.13").symlink_to(PYTHON)
    source = newcomer.project / "source"
    shutil.unpack_archive(next(built.glob("*.tar.gz")), source)
    harness = newcomer.project / "homebrew.rb"
    harness.write_text(_HOMEBREW)
    said = newcomer.run(ruby, harness, built / "fairlead.rb", place, next(source.iterdir()))
    assert "fairlead install" in said
    newcomer.can_run("fairlead", place / "bin" / "fairlead")
    newcomer.fairlead("install", "claude")
    newcomer.is_guarded()
