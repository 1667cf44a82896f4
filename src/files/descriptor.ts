import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs'

const HAS_PROC = process.platform === 'linux'

/** The folder of our descriptors; by pid where /proc uses our pid numbers, which saves following the `self` link. */
const DESCRIPTORS = findDescriptors()

/** O_PATH, which Node does not name: opens a path without reading the file or waking a device. */
const LOOK = HAS_PROC ? 0o10000000 : constants.O_RDONLY | constants.O_NONBLOCK

/** Flags for reading without waiting for a fifo's writer or taking a terminal. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/** An open file or folder and its real path as the kernel reports it. Closed by `using`. */
export interface Descriptor extends Disposable {
  readonly fd: number
  readonly where: string
}

/** Opens a path without reading it; `flags` may add O_DIRECTORY or O_NOFOLLOW. Throws errno errors. */
export function openToLook(path: string, flags = 0): Descriptor {
  const fd = openSync(path, LOOK | flags)
  try {
    return { fd, where: whereIs(fd, path), [Symbol.dispose]: () => closeSync(fd) }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Opens an entry of an open folder without reading it, never through a link. Its real path follows from the folder's. */
export function openBelow(folder: Descriptor, name: string, flags = 0): Descriptor {
  const fd = openSync(below(folder, name), LOOK | constants.O_NOFOLLOW | flags)
  return { fd, where: `${folder.where}/${name}`, [Symbol.dispose]: () => closeSync(fd) }
}

/** Opens an entry of an open folder for reading, never through a link; the caller closes it. */
export function openToReadBelow(folder: Descriptor, name: string): number {
  return openSync(below(folder, name), READ | constants.O_NOFOLLOW)
}

/** Opens the file of a descriptor for reading; the caller closes it. */
export function openToRead({ fd }: Descriptor): number {
  return openSync(`${DESCRIPTORS}/${fd}`, READ)
}

/** Returns a path to an open folder that stays valid when the folder is renamed or replaced. */
export function pathOf({ fd, where }: Descriptor): string {
  return HAS_PROC ? `${DESCRIPTORS}/${fd}` : where
}

/** Returns the path of an entry of an open folder; `name` is a single name, never a path. */
export function below(folder: Descriptor, name: string): string {
  return `${pathOf(folder)}/${name}`
}

/** Returns the real path of a descriptor. Without /proc: the real path of the given path, if it is still the same file. */
function whereIs(fd: number, path: string): string {
  if (HAS_PROC) return readlinkSync(`${DESCRIPTORS}/${fd}`)
  const real = realpathSync.native(path)
  const [held, found] = [fstatSync(fd), lstatSync(real)]
  if (held.dev !== found.dev || held.ino !== found.ino) throw new Error(`${path} was replaced while it was opened`)
  return real
}

function findDescriptors(): string {
  if (!HAS_PROC) return '/dev/fd'
  return readlinkSync('/proc/self') === String(process.pid) ? `/proc/${process.pid}/fd` : '/proc/self/fd'
}
