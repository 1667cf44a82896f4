#!/usr/bin/env bash
# Installs the system programs Haft's tests need and that are missing: with apt as root, else it says what to install.
# Kept to what the old bash of macOS reads; there the system has a sandbox of its own.
set -euo pipefail
programs="git python3 tmux"
if [ "$(uname)" = Linux ]; then programs="$programs bwrap curl openssl chromium make go cargo rustfmt black clang-format"; fi
missing=""
for program in $programs; do
  case "$program" in bwrap) package=bubblewrap ;; go) package=golang-go ;; *) package=$program ;; esac
  # A shim of rustup is on PATH even where it has no toolchain to run.
  case "$program" in
    cargo | rustfmt) "$program" --version >/dev/null 2>&1 || [ -x "/usr/bin/$program" ] || missing="$missing $package" ;;
    *) command -v "$program" >/dev/null || missing="$missing $package" ;;
  esac
done
# The Python of the system runs the test example of the fourth document.
for module in pytest pytest_asyncio; do
  if [ "$(uname)" = Linux ] && ! /usr/bin/python3 -c "import $module" 2>/dev/null; then
    missing="$missing python3-${module//_/-}"
  fi
done
if [ -z "$missing" ]; then echo "all there: $programs python3-pytest python3-pytest-asyncio"; exit 0; fi
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  echo "installing:$missing"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
  exit 0
fi
echo "missing:$missing. Install with your package manager (Debian: apt-get install$missing)." >&2
exit 1
