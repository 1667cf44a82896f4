import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { insidePath } from '../../core/paths.ts'
import type { RunFolder } from './run-folder.ts'

/** Mounts the overlay in a mount namespace of its own, starts the rest of its arguments in it, and stays until the leash is let go. */
const HELPER = `
cd "$1" && mount -t overlay haft -o "lowerdir=lower,upperdir=upper,workdir=work,$2" "$3" || exit 125
shift 3
cd /
exec 5<&0
"$@" <&5 4<&- 5<&- &
exec </dev/null >/dev/null 2>&1 3>&- 5<&-
read -r _ <&4
exit 0
`

/** Mounts an overlay once and lets it go; undefined where that works, else why it does not. */
export function tryOverlay(folder: RunFolder, mountPoint: string): string | undefined {
  const [program = '', ...args] = overlayCommand(folder, mountPoint, ['true'])
  const stdio = ['ignore', 'ignore', 'pipe', 'ignore', 'ignore'] as const
  const { status, stderr, error } = spawnSync(program, args, { stdio: [...stdio], encoding: 'utf8', cwd: '/' })
  if (status === 0) return undefined
  return `no overlay can be mounted: ${error?.message ?? stderr.trim().slice(0, 300)}`
}

/** Where an overlay is mounted; nothing that a run needs lies there. */
export function findMountPoint(needed: readonly string[]): string | undefined {
  return ['/mnt', '/media', '/srv', '/var/tmp', '/tmp'].find(
    (folder) => existsSync(folder) && !needed.some((path) => insidePath(folder, path) !== undefined),
  )
}

/** The command that runs another one with the overlay in place. Root keeps its ids and may rename folders; others map theirs. */
export function overlayCommand({ path }: RunFolder, mountPoint: string, command: readonly string[]): string[] {
  const root = process.getuid?.() === 0
  return [
    ...['unshare', ...(root ? [] : ['--user', '--map-root-user']), '--mount'],
    ...['/bin/sh', '-c', HELPER, 'sh', path, root ? 'redirect_dir=on' : 'userxattr', mountPoint],
    ...command,
  ]
}
