import { accessSync, constants, existsSync, lstatSync, openSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { canReach, type Owner } from '../owner.ts'
import { PYTHON_NAMES } from '../toolchains/offer-python.ts'
import { findToolchains, SYSTEM_FOLDERS, type ToolchainContext, type Toolchains } from '../toolchains/toolchains.ts'
import { FIRST_DESCRIPTOR, PIPES } from './bwrap-process.ts'
import { createDataDescriptor, type DataDescriptor } from './data-descriptor.ts'
import { makeFilter } from './seccomp.ts'
import type { Machine } from './system-calls.ts'

/** The files of /etc that programs need, none of them secret. They are copied into each sandbox, which is faster than a mount. */
const SYSTEM_FILES =
  'debian_version gai.conf host.conf hosts ld.so.cache localtime magic mime.types nsswitch.conf os-release protocols python3/debian_config services ssl/openssl.cnf timezone'
const SHOWN_FOLDERS = 'alternatives ca-certificates fonts pki/tls pki/ca-trust ssl/certs'

/** The home folder inside: empty, writable, removed with the sandbox. */
export const INSIDE_HOME = '/tmp/home'
const INSIDE_PROGRAMS = '/run/haft/bin'

const MEGABYTE = 1024 ** 2

/** The settings that all runs in a workspace share. */
export interface Profile {
  /** Arguments before the workspace is mounted. Mount order matters. */
  readonly opening: readonly string[]
  /** Arguments after it, which make everything else read-only. */
  readonly closing: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Arguments for a program of Haft's own beside a command: it is in the network of that command, sees the folders of the system alone, and can start no process. Takes the descriptor of its filter. */
  beside(filter: number): readonly string[]
  /** A new descriptor of that filter; the caller closes it. */
  openFilterBeside(): number
  /** New descriptors for one run, numbered from FIRST_DESCRIPTOR on; the caller closes them. */
  openDescriptors(): number[]
  close(): void
}

/** What a profile is made of. */
export interface ProfileOptions extends ToolchainContext {
  /** Folders outside the workspace that every command can read. */
  readonly shown?: readonly string[]
}

/** Makes the profile: visible files, environment and system call filter. */
export function makeProfile(context: ProfileOptions, machine: Machine): Profile {
  const toolchains = findToolchains(context)
  const filter = createDataDescriptor(makeFilter(machine))
  const filterBeside = createDataDescriptor(makeFilter(machine, { isSingleProcess: true }))
  const files = [...makeAccounts(context.owner), ...findFiles(context)]
  const owned = ['--uid', `${context.owner.uid}`, '--gid', `${context.owner.gid}`]
  return {
    opening: [
      ...NAMESPACES,
      ...['--unshare-net', ...owned],
      ...['--json-status-fd', `${PIPES.status}`, '--seccomp', `${FIRST_DESCRIPTOR}`],
      ...SYSTEM_FOLDERS.flatMap(showSystemFolder),
      ...['--proc', '/proc', '--dev', '/dev'],
      ...['--size', `${256 * MEGABYTE}`, '--tmpfs', '/dev/shm', '--size', `${512 * MEGABYTE}`, '--tmpfs', '/tmp'],
      ...['--dir', '/tmp/.haft', '--dir', INSIDE_HOME],
      ...files.flatMap(({ path }, index) => ['--perms', '0444', '--file', `${FIRST_DESCRIPTOR + 1 + index}`, path]),
      ...[...etc(SHOWN_FOLDERS), ...toolchains.folders, ...reachable(context)].flatMap((folder) => [
        '--ro-bind',
        folder,
        folder,
      ]),
      ...offerPython(toolchains),
    ],
    closing: ['--remount-ro', '/', '--remount-ro', '/proc', '--remount-ro', '/dev', '--', '/bin/sh'],
    env: makeEnvironment(toolchains),
    beside: (filter) => [
      ...[...NAMESPACES, ...owned, '--seccomp', `${filter}`],
      ...[...SYSTEM_FOLDERS.flatMap(showSystemFolder), '--dev', '/dev'],
      ...etc('ld.so.cache').flatMap((path) => ['--ro-bind', path, path]),
    ],
    openFilterBeside: filterBeside.open,
    openDescriptors: () => [filter, ...files].map((data) => data.open()),
    close: () => [filter, filterBeside, ...files].forEach((data) => void data.close()),
  }
}

const NAMESPACES = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...[
    '--disable-userns',
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    '--new-session',
    '--hostname',
    'sandbox',
    '--clearenv',
  ],
]

function showSystemFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink()) return ['--symlink', readlinkSync(path), path]
  return stats?.isDirectory() ? ['--ro-bind', path, path] : []
}

/** The folders that are to be shown, as far as whoever runs commands can reach them. */
function reachable({ shown = [], owner }: ProfileOptions): readonly string[] {
  return shown.filter((folder) => canReach(owner, folder))
}

const etc = (names: string): string[] =>
  names
    .split(' ')
    .map((name) => `/etc/${name}`)
    .filter((path) => existsSync(path))

function offerPython({ python }: Toolchains): string[] {
  if (python === undefined) return []
  return PYTHON_NAMES.flatMap((name) => ['--symlink', python, `${INSIDE_PROGRAMS}/${name}`])
}

interface InsideFile extends DataDescriptor {
  /** The path inside. */
  readonly path: string
}

function findFiles({ env }: ToolchainContext): InsideFile[] {
  const copy = (from: string, path: string): InsideFile => ({
    path,
    open: () => openSync(from, 'r'),
    close: () => undefined,
  })
  const gitconfig = join(env.HOME ?? '/nonexistent', '.gitconfig')
  return [
    ...etc(SYSTEM_FILES)
      .filter(isReadable)
      .map((path) => copy(path, path)),
    ...(isReadable(gitconfig) ? [copy(gitconfig, `${INSIDE_HOME}/.gitconfig`)] : []),
  ]
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Makes /etc/passwd and /etc/group for the inside, with the user and nobody. */
function makeAccounts({ uid, gid }: Owner): InsideFile[] {
  const name = uid === 0 ? 'root' : 'user'
  const accounts = `${name}:x:${uid}:${gid}:${name}:${INSIDE_HOME}:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`
  const groups = `${name}:x:${gid}:\nnogroup:x:65534:\n`
  return [
    { path: '/etc/passwd', ...createDataDescriptor(Buffer.from(accounts)) },
    { path: '/etc/group', ...createDataDescriptor(Buffer.from(groups)) },
  ]
}

/** Makes the environment inside: only PATH is taken from outside. */
function makeEnvironment(toolchains: Toolchains): Record<string, string> {
  return {
    PATH: [INSIDE_PROGRAMS, ...toolchains.path].join(':'),
    HOME: INSIDE_HOME,
    USER: 'user',
    LOGNAME: 'user',
    SHELL: '/bin/bash',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    PYTHONUNBUFFERED: '1',
  }
}
