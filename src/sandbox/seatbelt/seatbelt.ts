import { dirname } from 'node:path'
import { SYSTEM_FOLDERS } from '../toolchains/toolchains.ts'

/** What a macOS sandbox can read and change. */
export interface SeatbeltPlan {
  readonly workspace: string
  /** Toolchain folders outside the system's, read-only. */
  readonly folders: readonly string[]
  /** The run's temporary folder. */
  readonly temporary: string
  /** Files and folders that commands must not read. */
  readonly hidden?: readonly string[]
  /** Programs of the workspace that run outside the sandbox, relative to it. */
  readonly ownPrograms?: readonly string[]
}

const SYSTEM = [
  ...SYSTEM_FOLDERS,
  '/System',
  '/Library/Apple',
  '/Library/Developer',
  '/private/etc/ssl',
  '/private/var/db/timezone',
  '/private/var/db/dyld',
]
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper', '/dev/fd']

/** The paths that git executes or trusts, in any repository. */
const GIT_TRUSTS = '/[.][gG][iI][tT]/(hooks|config|config[.]worktree|commondir|gitdir|modules|worktrees)(/|$)'

/** Makes the profile for `sandbox-exec`, which keeps the promises of the Linux sandbox as far as seatbelt can. Not tested on a Mac yet. */
export function makeSeatbeltProfile(plan: SeatbeltPlan): string {
  const { workspace, folders, temporary, hidden = [], ownPrograms = [] } = plan
  const guarded = ['.git/hooks', '.git/config', '.haft', ...ownPrograms].map((name) => `${workspace}/${name}`)
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    '(allow process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    `(allow file-read-metadata)`,
    `(allow file-read* ${[...SYSTEM, ...folders, workspace, temporary].map(subpath).join(' ')})`,
    `(allow file-read* file-write-data ${DEVICES.map(literal).join(' ')})`,
    `(allow file-write* ${[workspace, temporary].map(subpath).join(' ')})`,
    `(deny file-write* ${guarded.map(subpath).join(' ')} ${literal(`${workspace}/.git`)})`,
    `(deny file-write* (regex #"${GIT_TRUSTS}"))`,
    // A file is a subpath too. Writing is denied as well, so that it cannot be moved to where it could be read.
    ...hidden.map((path) => `(deny file-read-data file-read-xattr file-write* ${subpath(path)})`),
    ...(hidden.length > 0 ? [denyMovingAbove(workspace, hidden)] : []),
    '(deny network*)',
    '(deny file-link (require-not (vnode-type REGULAR-FILE)))',
    '',
  ].join('\n')
}

/** Denies to rename or remove the folders that hold hidden files. */
function denyMovingAbove(workspace: string, hidden: readonly string[]): string {
  const above = new Set<string>()
  for (const path of hidden)
    for (let folder = dirname(path); folder.startsWith(`${workspace}/`); folder = dirname(folder)) above.add(folder)
  return above.size === 0 ? '' : `(deny file-write-unlink ${[...above].map(literal).join(' ')})`
}

const subpath = (path: string): string => `(subpath ${quote(path)})`
const literal = (path: string): string => `(literal ${quote(path)})`

/** Quotes a string for the profile; throws when it cannot be quoted. */
function quote(path: string): string {
  if (/[\0\n\r]/.test(path)) throw new Error(`a sandbox profile cannot name ${JSON.stringify(path)}`)
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
