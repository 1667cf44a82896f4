import type { ValidCall } from '../../core/call/call.ts'
import type { CallReading, ReadCommand } from '../../core/rules/rule.ts'
import { isBelieved } from '../../core/tool/snapshot.ts'

/** Commands that only read and print when they have no effect that the reader of command lines reports. */
const LOOKING = new Set(
  (
    'ls dir tree du df stat file readlink realpath basename dirname cat tac nl rev head tail less more wc sort uniq cut paste comm join ' +
    'cmp diff colordiff sdiff diff3 look column fold fmt pr expand unexpand tr expr seq factor numfmt echo printf test [ true false : pwd cd ' +
    'grep egrep fgrep zgrep rg ag ack find fd fdfind sed awk gawk mawk jq yq md5sum sha1sum sha256sum sha512sum b2sum cksum hexdump xxd od strings ' +
    'base64 zcat bzcat xzcat zipinfo which whereis type command whoami id groups hostname uname date uptime arch nproc free ps pgrep env printenv ' +
    'nm objdump readelf size ldd man info help tokei cloc scc xargs timeout nice time sleep exit return break continue set shopt local declare export ' +
    'readonly unset read mapfile let return shift wait tput clear git'
  ).split(' '),
)

/** Subcommands of git that change neither files nor the repository. */
const LOOKING_GIT =
  /^git( -C \S+| --no-pager| -c \S+)* (status|log|show|diff|blame|grep|ls-files|ls-tree|ls-remote|rev-parse|rev-list|describe|shortlog|cat-file|merge-base|show-ref|for-each-ref|name-rev|count-objects|reflog|whatchanged|diff-tree|diff-index|diff-files|check-ignore|check-attr|var|version|help|branch( --?(a|r|v+|all|remotes|list|show-current|merged|no-merged|contains)\b.*)?$|tag( -l\b.*| --list\b.*)?$|stash (list|show)|remote( -v)?$|remote (show|get-url)|config (--get|--list|-l|get|list)|worktree list|bisect log)\b/

/** True when a call certainly changes nothing: a tool that is trusted to say so, or commands that are known to only read. */
export function onlyLooks({ entry }: ValidCall, { touches, commands, acts }: CallReading): boolean {
  const { tool, origin } = entry
  if (!isBelieved(origin) || touches.some(isChange)) return false
  if (!touches.some(({ kind }) => kind === 'runs')) return tool.effect === 'none' || tool.effect === 'read'
  return ['read', 'run'].includes(tool.effect) && acts.length === 0 && commands.length > 0 && commands.every(isLooking)
}

function isChange(touch: CallReading['touches'][number]): boolean {
  if (touch.kind === 'connects' || touch.kind === 'deletes') return true
  return touch.kind === 'writes' && touch.path !== '/dev/null'
}

function isLooking({ name, text, argv }: ReadCommand): boolean {
  if (!LOOKING.has(name) || argv[0] !== name) return false
  return name !== 'git' || LOOKING_GIT.test(text)
}
