#!/usr/bin/env bash
# ./dev deb [test]: the packages of packaging/debian, of the sources as they are here. What the build runs has no network, where the
# system lets us take it away.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/deb

build() {
  rm -rf --one-file-system "$out"
  mkdir -p "$out/planner-ccd"
  cd "$root"
  git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
    tar --null -T - -cf - | tar -xf - -C "$out/planner-ccd"
  cp -r packaging/debian "$out/planner-ccd/debian"
  local offline=()
  unshare -n true 2>/dev/null && offline=(unshare -n)
  cd "$out/planner-ccd"
  CCACHE_DIR=${CCACHE_DIR:-$(ccache -k cache_dir)} CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 "${offline[@]}" dpkg-buildpackage -b -us -uc
  lintian --fail-on error "$out"/*.changes
}

# A bare Debian gets one package after the other, and with each what its users meet.
check() {
  local bare=$out/root
  rm -rf --one-file-system "$bare"  # should something still be mounted there
  mmdebstrap --quiet --variant=apt --skip=cleanup/apt/lists bookworm "$bare"
  cp /etc/resolv.conf "$bare/etc/resolv.conf"
  mkdir "$bare/debs"
  cp "$out"/*.deb "$bare/debs"
  cp -r "$out/planner-ccd" "$bare/source"
  install_and_run planner-ccd command
  install_and_run python3-planner-ccd python
  install_and_run libplanner-ccd-dev cmake cmake g++ pkg-config libompl-dev make
}

# install_and_run PACKAGE TEST [OTHER PACKAGE...]
install_and_run() {
  local package=$1 name=$2
  shift 2
  # What it depends on besides the archive.
  local debs; debs=$(cd "$bare" && ls debs/"${package}"_*.deb debs/libplanner-ccd[0-9]*_*.deb | grep -v dbgsym | sed 's|^|/|')
  # shellcheck disable=SC2086
  chroot "$bare" apt-get install -y -q --no-install-recommends $debs "$@" >"$out/install_$name.log" 2>&1 || { tail -n 20 "$out/install_$name.log"; exit 1; }
  chroot "$bare" sh -c "cd /source && debian/tests/$name"
  echo "==> $package: its test '$name' passed on a bare Debian"
}

case ${1:-} in
  "") build ;;
  test) [ -e "$out/planner-ccd" ] || build; check ;;
  *) echo "usage: ./dev deb [test]" >&2; exit 1 ;;
esac
