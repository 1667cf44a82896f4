import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { messageOf } from '../../core/call/result.ts'
import { insidePath } from '../../core/text/paths.ts'
import { MOUNTED } from '../bubblewrap/box.ts'
import { AWAIT_LEASH, START_LEASHED } from '../bubblewrap/leash.ts'
import { NAMES } from './run-folder.ts'

const LAYERS = `lowerdir=${NAMES.lower},upperdir=${NAMES.upper},workdir=${NAMES.work}`
const OVERLAY = `mount -i -n -t overlay haft -o "nosuid,nodev,${LAYERS},$options" "$place"`
const BEGIN = 'folder=$1 options=$2 place=$3; shift 3'

const ONLY_MOUNT = `
${BEGIN}
cd "$folder" && ${OVERLAY}
`

/** Mounts the overlay in a mount namespace of its own, starts the rest of its arguments in it, and stays until the leash is let go. */
const AT_ONCE = `
${BEGIN}
cd "$folder" && ${OVERLAY} || exit 125
cd /
${START_LEASHED}
${AWAIT_LEASH}
`

/** Waits for the leash to name the run and mounts with a system call: starting a program for it would take longer than the command. */
const MOUNT_IN_PERL = `
END { kill KILL => 0 }
open(my $leash, "<&=", 4) or exit 125;
my $run = <$leash>;
defined $run or exit 0;
chomp $run;
my ($folder, $options, $place, $number) = @ARGV;
my ($source, $type, $data) = ("haft", "overlay", "${LAYERS},$options");
chdir "$folder/$run" or die "$folder/$run: $!";
syscall($number + 0, $source, $place, $type, 6, $data) == 0 or die "mount: $!";
chdir "/";
open(my $status, ">&=", 3);
syswrite $status, "${MOUNTED}\\n";
close $status;
open STDERR, ">", "/dev/null";
<$leash>;
`

/** The number of mount(2). */
const MOUNT_NUMBER = process.arch === 'arm64' ? '40' : '165'

/** Starts the rest in a shared mount first; the overlay comes over it when the leash names the run, and is seen inside. */
const WHEN_TOLD = `
${BEGIN}
mount -t tmpfs -o size=4k haft "$place" && mount --make-shared "$place" || exit 125
${START_LEASHED}
exec </dev/null >/dev/null 5<&-
[ -x /usr/bin/perl ] && exec /usr/bin/perl -e '${MOUNT_IN_PERL}' "$folder" "$options" "$place" ${MOUNT_NUMBER}
read -r run <&4 || exit 0
cd "$folder/$run" && ${OVERLAY} || exit 125
cd /
echo ${MOUNTED} >&3
${AWAIT_LEASH}
`

/** Where overlays are mounted, and what they change is held. */
export interface OverlayPlace {
  readonly runs: string
  /** `runs` lies on another file system than the workspace. */
  readonly apart: boolean
  readonly mountPoint: string
}

/** Mounts an overlay once and lets it go; undefined where that works, else why it does not. */
export function tryOverlay(run: string, mountPoint: string): string | undefined {
  const [program = '', ...args] = [...inNamespace(ONLY_MOUNT), run, mountOptions(), mountPoint]
  const { status, stderr, error } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    cwd: '/',
  })
  if (status === 0) return undefined
  return `no overlay can be mounted: ${error ? messageOf(error) : stderr.trim().slice(0, 300)}`
}

/** Where an overlay is mounted; nothing that a run needs lies there. */
export function findMountPoint(needed: readonly string[]): string | undefined {
  return ['/mnt', '/media', '/srv', '/var/tmp', '/tmp'].find(
    (folder) => existsSync(folder) && !needed.some((path) => insidePath(folder, path) !== undefined),
  )
}

/** The command that runs another one with the overlay of a run in place. */
export function overlayCommand(run: string, mountPoint: string, command: readonly string[]): string[] {
  return [...inNamespace(AT_ONCE), run, mountOptions(), mountPoint, ...command]
}

/** The same, with the overlay to come: the leash will name the run's folder in `runs`. */
export function waitingCommand({ runs, mountPoint }: OverlayPlace, command: readonly string[]): string[] {
  return [...inNamespace(WHEN_TOLD), runs, mountOptions(), mountPoint, ...command]
}

const isRoot = (): boolean => process.getuid?.() === 0

/** Root keeps its ids and may rename folders of the lower side; others map theirs. Files that were not changed keep their numbers. */
const mountOptions = (): string => `xino=off,${isRoot() ? 'redirect_dir=on' : 'userxattr'}`

function inNamespace(helper: string): string[] {
  return ['unshare', ...(isRoot() ? [] : ['--user', '--map-root-user']), '--mount', '/bin/sh', '-c', helper, 'sh']
}
