import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs'

const HAS_PROC = process.platform === 'linux'

/** Where our descriptors are; by number where /proc counts processes as we do, since `self` is one link more to follow. */
const DESCRIPTORS = findDescriptors()

/** Opens a place without reading or waking what is there: Linux has a flag for it that Node does not name. */
const LOOK = HAS_PROC ? 0o10000000 : constants.O_RDONLY | constants.O_NONBLOCK

/** Flags for reading that neither wait for a fifo's writer nor take a terminal. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/** An open file or folder and the path the kernel says it has. Closed by `using`. */
export interface Descriptor extends Disposable {
  readonly fd: number
  readonly where: string
}

/** Opens a path to look at; `flags` may add O_DIRECTORY or O_NOFOLLOW. Throws errno errors. */
export function openToLook(path: string, flags = 0): Descriptor {
  const fd = openSync(path, LOOK | flags)
  try {
    return { fd, where: whereIs(fd, path), [Symbol.dispose]: () => closeSync(fd) }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Opens an entry of an open folder to look at, never through a link: so it lies where the folder lies, and need not be asked. */
export function openBelow(folder: Descriptor, name: string, flags = 0): Descriptor {
  const fd = openSync(below(folder, name), LOOK | constants.O_NOFOLLOW | flags)
  return { fd, where: `${folder.where}/${name}`, [Symbol.dispose]: () => closeSync(fd) }
}

/** Opens an entry of an open folder for reading, never through a link; the caller closes it. */
export function openToReadBelow(folder: Descriptor, name: string): number {
  return openSync(below(folder, name), READ | constants.O_NOFOLLOW)
}

/** Opens for reading exactly what a descriptor already holds; the caller closes it. */
export function openToRead({ fd }: Descriptor): number {
  return openSync(`${DESCRIPTORS}/${fd}`, READ)
}

/** The path of an open folder that stays right when the folder is renamed or swapped. */
export function pathOf({ fd, where }: Descriptor): string {
  return HAS_PROC ? `${DESCRIPTORS}/${fd}` : where
}

/** The path of an entry of an open folder; `name` is one name, never a path. */
export function below(folder: Descriptor, name: string): string {
  return `${pathOf(folder)}/${name}`
}

/** Where an open descriptor lies. Without /proc: where its path leads, if that is still the same file. */
function whereIs(fd: number, path: string): string {
  if (HAS_PROC) return readlinkSync(`${DESCRIPTORS}/${fd}`)
  const real = realpathSync.native(path)
  const [held, found] = [fstatSync(fd), lstatSync(real)]
  if (held.dev !== found.dev || held.ino !== found.ino) throw new Error(`${path} was swapped while it was opened`)
  return real
}

function findDescriptors(): string {
  if (!HAS_PROC) return '/dev/fd'
  return readlinkSync('/proc/self') === String(process.pid) ? `/proc/${process.pid}/fd` : '/proc/self/fd'
}
