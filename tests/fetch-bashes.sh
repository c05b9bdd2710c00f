#!/bin/sh
# fetch-bashes.sh FOLDER: bash of other releases of Debian, by package name, each as FOLDER/VERSION/bash.
# Asks the mirror that apt asks here, and takes only what the keys of Debian have signed.
set -eu
place=$1
keys=/usr/share/keyrings/debian-archive-keyring.gpg
if ! command -v apt-get >/dev/null || [ ! -f "$keys" ]; then
  echo "NO other bash: this fetches packages of Debian, and there is no apt-get with its keys here" >&2
  exit 0
fi
own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016 # words of apt
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | sed -n "s/ $own\$//p" | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetch() { # RELEASE VERSION PACKAGE
  [ ! -x "$place/$2/bash" ] || return 0
  mkdir -p "$work/$1/lists/partial" "$work/$1/cache/archives/partial"
  : >"$work/$1/status" # nothing is installed, so no other version is preferred
  echo "deb [signed-by=$keys] $mirror $1 main" >"$work/$1/sources"
  cd "$work/$1"
  set -- "$2" "$3" -qq -o "Dir::Etc::SourceList=$PWD/sources" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$PWD/lists" \
    -o "Dir::Cache=$PWD/cache" -o "Dir::State::status=$PWD/status" \
    -o APT::Sandbox::User=root -o Acquire::Languages=none
  version=$1 package=$2
  shift 2
  apt-get "$@" update && apt-get "$@" download "$package" && dpkg-deb -x "$package"_*.deb . || return 1
  mkdir -p "$place/$version"
  find . -path "*bin/$package" -type f -exec cp {} "$place/$version/bash" \;
}

while read -r release version package; do
  (fetch "$release" "$version" "$package") >"$work/said" 2>&1 </dev/null ||
    { echo "NO bash $version: it could not be fetched" && cat "$work/said"; } >&2
done <<END
bullseye 5.1 bash
bookworm 5.2 bash
sid 5.3 bash-static
END
for version in 4.4 5.0; do
  [ -x "$place/$version/bash" ] ||
    echo "NO bash $version: no release that Debian still serves has it; put one at $place/$version/bash" >&2
done
