#!/usr/bin/env bash
# Installs the system programs Haft's tests need and that are missing: with apt as root, else it says what to install.
set -euo pipefail
declare -A package_of=([tmux]=tmux [git]=git [bwrap]=bubblewrap [python3]=python3)
missing=()
for program in "${!package_of[@]}"; do
  command -v "$program" >/dev/null || missing+=("${package_of[$program]}")
done
if [ ${#missing[@]} -eq 0 ]; then echo "all there: ${!package_of[*]}"; exit 0; fi
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  echo "installing: ${missing[*]}"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  exit 0
fi
echo "missing: ${missing[*]}. Install them with your package manager (Debian: apt-get install ${missing[*]})." >&2
exit 1
