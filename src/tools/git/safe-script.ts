import { HARMLESS_GIT_SETTINGS, PLAIN_GIT_VALUES } from '../../core/text/git-settings.ts'

/**
 * Runs git commands in the workspace so that nothing of the repository is executed. Arguments: the most bytes to print of each command,
 * a word that separates the commands, the folder of the repository, then the commands.
 *
 * A repository's own settings can name programs (filters, hooks, monitors, drivers, helpers), and every release of git may add such settings.
 * So each setting of the repository is replaced by an empty one, unless it is known to name no program, or is a number or a boolean; those that
 * start a program by a boolean are switched off by name. A repository whose files or data are outside the workspace is refused.
 * Repositories inside (submodules) are treated the same, since git looks into them.
 * The output of each command ends with the separating word. `@{` stands for the shell's own `${`.
 */
export const SAFE_GIT = String.raw`
limit=$1; mark=$2; folder=$3; shift 3
root=$(pwd -P)
export GIT_NO_LAZY_FETCH=1 GIT_TERMINAL_PROMPT=0 GIT_EDITOR=: GIT_SEQUENCE_EDITOR=: GIT_PAGER=cat GIT_ATTR_NOSYSTEM=1 GIT_LITERAL_PATHSPECS=1
export GIT_ALLOW_PROTOCOL=none GIT_SSH_COMMAND=false GIT_ASKPASS=false GIT_CONFIG_NOSYSTEM=1
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_EXTERNAL_DIFF GIT_TRACE GIT_CONFIG_PARAMETERS
first=(-c safe.directory=* -c safe.bareRepository=explicit)
cd -- "$folder" || exit 1
top=$(git "@{first[@]}" rev-parse --show-toplevel) || exit 128
data=$(git "@{first[@]}" rev-parse --path-format=absolute --git-common-dir) || exit 128
for place in "$top" "$data"; do
  place=$(cd -- "$place" && pwd -P) || exit 128
  case "$place/" in "$root"/*) ;; *) printf 'fatal: the repository is at %s, outside the workspace\n' "$place" >&2; exit 128 ;; esac
done
harmless='${HARMLESS_GIT_SETTINGS}'
plain='${PLAIN_GIT_VALUES}'
count=0
set_key() { export "GIT_CONFIG_KEY_$count=$1" "GIT_CONFIG_VALUE_$count=$2"; count=$((count + 1)); export GIT_CONFIG_COUNT=$count; }
# Replaces the settings of a repository, and of the repositories inside it, which git looks into with the same settings.
replace_settings() {
  local scope entry key value link is_read=no
  while IFS= read -r -d '' scope && IFS= read -r -d '' entry; do
    [[ $scope == end ]] && is_read=yes
    [[ $scope == local || $scope == worktree ]] || continue
    key=@{entry%%$'\n'*}
    value=true; [[ $entry == *$'\n'* ]] && value=@{entry#*$'\n'}
    [[ $key == filter.*.required ]] && set_key "$key" false && continue
    [[ $key == submodule.*.update ]] && set_key "$key" none && continue
    [[ $key =~ $harmless || $value =~ $plain ]] && continue
    set_key "$key" ''
    ((count > 2000)) && { echo 'fatal: the repository has too many settings' >&2; exit 128; }
  done < <(git -C "$1" config -z --show-scope --list && printf 'end\0end\0')
  [[ $is_read == yes ]] || { echo 'fatal: the settings of the repository cannot be read' >&2; exit 128; }
  ((++repositories > 100)) && { echo 'fatal: the repository holds too many others' >&2; exit 128; }
  while IFS= read -r -d '' link; do
    link=$1/@{link#*$'\t'}
    [[ -e $link/.git ]] && replace_settings "$link"
  done < <(git -C "$1" ls-files -s -z | grep -z '^160000 ')
}
set_fixed() {
  local pair
  for pair in 'safe.directory=*' safe.bareRepository=explicit core.hooksPath=/dev/null core.fsmonitor=false core.untrackedCache=false core.pager=cat core.editor=: core.sshCommand=false \
    core.attributesFile=/dev/null diff.external= commit.gpgSign=false tag.gpgSign=false log.showSignature=false gpg.program=false credential.helper= \
    protocol.allow=never submodule.recurse=false gc.auto=0 maintenance.auto=false user.useConfigOnly=true core.quotePath=false advice.detachedHead=false; do
    set_key "@{pair%%=*}" "@{pair#*=}"
  done
}
while (($# > 0)); do
  command=()
  while (($# > 0)) && [[ $1 != "$mark" ]]; do command+=("$1"); shift; done
  shift
  # Anew for each command: one before may have added a repository inside this one.
  count=0; repositories=0
  set_fixed; replace_settings "$top"; set_fixed
  git "@{command[@]}" | head -c "$limit"
  code=@{PIPESTATUS[0]}
  printf '%s' "$mark"
  ((code == 0 || code == 141)) || exit "$code"
done
`.replaceAll('@{', '${')
