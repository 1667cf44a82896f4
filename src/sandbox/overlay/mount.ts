import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { messageOf } from '../../core/call/result.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'
import { insidePath } from '../../core/text/paths.ts'
import { MOUNTED, SYSTEM_PATH } from '../bubblewrap/bwrap-process.ts'
import { START_CHILD, WAIT_FOR_RELEASE } from '../bubblewrap/supervised-command.ts'
import { NAMES } from './run-folder.ts'

const LAYERS = `lowerdir=${NAMES.lower},upperdir=${NAMES.upper},workdir=${NAMES.work}`
const OVERLAY = `mount -i -n -t overlay haft -o "nosuid,nodev,${LAYERS},$options" "$mountpoint"`
const BEGIN = 'folder=$1 options=$2 mountpoint=$3; shift 3'

const ONLY_MOUNT = `
${BEGIN}
cd "$folder" && ${OVERLAY}
`

/** Mounts the overlay in its own mount namespace, starts the remaining arguments in it, and waits until the control pipe closes. */
const AT_ONCE = `
${BEGIN}
cd "$folder" && ${OVERLAY} || exit 125
cd /
${START_CHILD}
${WAIT_FOR_RELEASE}
`

/** Reads the run's name from the control pipe and mounts with a system call, since starting mount(8) would take longer than the command. */
const MOUNT_IN_PERL = `
END { kill KILL => 0 }
open(my $control, "<&=", 4) or exit 125;
my $run = <$control>;
defined $run or exit 0;
chomp $run;
my ($folder, $options, $mountpoint, $number) = @ARGV;
my ($source, $type, $data) = ("haft", "overlay", "${LAYERS},$options");
chdir "$folder/$run" or die "$folder/$run: $!";
syscall($number + 0, $source, $mountpoint, $type, 6, $data) == 0 or die "mount: $!";
chdir "/";
open(my $status, ">&=", 3);
syswrite $status, "${MOUNTED}\\n";
close $status;
open STDERR, ">", "/dev/null";
<$control>;
`

/** The system call number of mount(2). */
const MOUNT_NUMBER = process.arch === 'arm64' ? '40' : '165'

/** Starts the remaining arguments in a shared mount; the overlay is mounted over it when the control pipe names the run, and becomes visible inside. */
const WHEN_NAMED = `
${BEGIN}
mount -t tmpfs -o size=4k haft "$mountpoint" && mount --make-shared "$mountpoint" || exit 125
${START_CHILD}
exec </dev/null >/dev/null 5<&-
[ -x /usr/bin/perl ] && exec /usr/bin/perl -e '${MOUNT_IN_PERL}' "$folder" "$options" "$mountpoint" ${MOUNT_NUMBER}
read -r run <&4 || exit 0
cd "$folder/$run" && ${OVERLAY} || exit 125
cd /
echo ${MOUNTED} >&3
${WAIT_FOR_RELEASE}
`

/** The folders of an overlay: where it is mounted, and where its changes are stored. */
export interface OverlayFolders {
  readonly runs: string
  /** True when `runs` is on another file system than the workspace. */
  readonly apart: boolean
  readonly mountPoint: string
}

/** Mounts an overlay once to test it; returns undefined when that works, else the reason. */
export function tryOverlay(run: string, mountPoint: string, programs: Programs): string | undefined {
  try {
    const [program = '', ...args] = [...inNamespace(programs, ONLY_MOUNT), run, mountOptions(), mountPoint]
    const { status, stderr, error } = spawnSync(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      cwd: '/',
      env: { PATH: SYSTEM_PATH },
    })
    if (status === 0) return undefined
    return `no overlay can be mounted: ${error ? messageOf(error) : stderr.trim().slice(0, 300)}`
  } catch (thrown) {
    return `no overlay can be mounted: ${messageOf(thrown)}`
  }
}

/** Returns a folder to mount overlays on that contains nothing a run needs. */
export function findMountPoint(needed: readonly string[]): string | undefined {
  return ['/mnt', '/media', '/srv', '/var/tmp', '/tmp'].find(
    (folder) => existsSync(folder) && !needed.some((path) => insidePath(folder, path) !== undefined),
  )
}

/** The overlay of one run. */
export interface OverlayMount {
  /** The run folder. */
  readonly run: string
  readonly mountPoint: string
  /** True when others may change the workspace during the run: a renamed folder would refer to what they changed. */
  readonly isBackground: boolean
  readonly programs: Programs
}

/** Returns the command that runs another command on the mounted overlay of a run. */
export function overlayCommand(mount: OverlayMount, command: readonly string[]): string[] {
  const { run, mountPoint, isBackground, programs } = mount
  return [...inNamespace(programs, AT_ONCE), run, mountOptions(isBackground), mountPoint, ...command]
}

/** Returns a command whose overlay is mounted later, when the control pipe names the run's folder in `runs`. */
export function waitingCommand(
  { runs, mountPoint, programs }: OverlayFolders & Pick<OverlayMount, 'programs'>,
  command: readonly string[],
): string[] {
  return [...inNamespace(programs, WHEN_NAMED), runs, mountOptions(), mountPoint, ...command]
}

const isRoot = (): boolean => process.getuid?.() === 0

/** As root, folders of the lower layer can be renamed; other users need user extended attributes. Unchanged files keep their inode numbers. */
const mountOptions = (isBackground = false): string =>
  `xino=off,${isRoot() ? `redirect_dir=${isBackground ? 'off' : 'on'}` : 'userxattr'}`

function inNamespace(programs: Programs, helper: string): string[] {
  const user = isRoot() ? [] : ['--user', '--map-root-user']
  return [programs.system('unshare'), ...user, '--mount', '/bin/sh', '-c', helper, 'sh']
}
