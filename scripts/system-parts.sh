#!/usr/bin/env bash
# Installs the system programs that are missing: with `start` the ones Haft uses, with `test` also those that only its tests use.
# Works with apt as root; elsewhere it says what does not work without them. Kept to what the old bash of macOS reads.
set -uo pipefail
linux=""
[ "$(uname)" != Linux ] || linux=yes

has() {
  case "$1" in
    bubblewrap) command -v bwrap >/dev/null ;;
    # A shim of rustup is on PATH even where it has no toolchain to run.
    cargo | rustfmt) "$1" --version >/dev/null 2>&1 || [ -x "/usr/bin/$1" ] ;;
    # The Python of the system runs the test example of the fourth document.
    pytest | pytest_asyncio) /usr/bin/python3 -c "import $1" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

find_missing() {
  missing="" missing_for_tests=""
  for program in git python3 ${linux:+bubblewrap}; do
    has "$program" || missing="$missing $program"
  done
  [ "$1" = test ] || return 0
  for program in tmux ${linux:+curl openssl chromium make go cargo rustfmt black clang-format pytest pytest_asyncio}; do
    case "$program" in go) package=golang-go ;; pytest*) package=python3-${program//_/-} ;; *) package=$program ;; esac
    has "$program" || missing_for_tests="$missing_for_tests $package"
  done
}

find_missing "$1"
if [ -n "$missing$missing_for_tests" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  [ -z "$missing" ] || echo "Installing what Haft uses:$missing"
  [ -z "$missing_for_tests" ] || echo "Installing what only the tests use:$missing_for_tests"
  apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing $missing_for_tests >/dev/null
  find_missing "$1"
fi
for program in $missing; do
  case "$program" in
    git) off="the git tools do not work" ;;
    python3) off="Python tools and Python code do not run" ;;
    bubblewrap) off="commands cannot run, since there is no sandbox for them" ;;
  esac
  echo "$program is missing: $off. Install it with your package manager, on Debian: sudo apt-get install $program" >&2
done
[ -z "$missing_for_tests" ] ||
  echo "The tests also need, on Debian: sudo apt-get install$missing_for_tests" >&2
[ -z "$missing$missing_for_tests" ]
