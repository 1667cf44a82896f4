import type { ErrorCode } from '../call/codes.ts'

/** What a system error means for a caller: one of Haft's codes, and words that follow the name of the file. */
export interface SystemErrorMeaning {
  readonly code: ErrorCode
  readonly words: string
}

const NO_ANSWER = 'is on another machine, which does not answer'
const NO_SUPPORT = 'cannot be used like this: its file system does not support it'
const NO_MEMORY = 'could not be used: the system has no memory left for it'
const TOO_MANY = 'could not be opened: too many files are open at once'
const DISK_ERROR = 'could not be read or written: the disk reports an error'

const WORDS: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> = {
  FILE_NOT_FOUND: { ENOENT: 'does not exist' },
  INVALID_PATH: {
    ECHARSET: 'has a name that its file system cannot hold',
    EILSEQ: 'has a name that its file system cannot hold',
    EINVAL: 'cannot be used like this: the system does not take it',
    EISDIR: 'is a folder; a file was expected',
    ELOOP: 'is a link that leads nowhere: its links form a loop',
    ENAMETOOLONG: 'is longer than the system takes',
    ENODEV: 'is not a regular file',
    ENOTDIR: 'passes through a file as if it were a folder',
    ENXIO: 'is not a regular file',
  },
  PERMISSION_DENIED: {
    EACCES: 'may not be used: the system does not permit it',
    EKEYREJECTED: 'is encrypted, and its key was refused',
    ENOKEY: 'is encrypted, and its key is not at hand',
    EPERM: 'may not be used: the system does not permit it',
    EROFS: 'cannot be changed: its file system is read-only',
  },
  CONFLICT: {
    EAGAIN: 'is held by another program at the moment',
    EBUSY: 'is in use by another program or by the system',
    EDEADLK: 'is held by another program at the moment',
    EEXIST: 'exists already',
    ENOTEMPTY: 'is a folder that is not empty',
    ESTALE: 'was removed or replaced on another machine meanwhile',
    ETXTBSY: 'is a program that is running at the moment',
  },
  TOO_LARGE: {
    E2BIG: 'was given more arguments than the system takes',
    EFBIG: 'is too large for its file system',
    EOVERFLOW: 'is too large for the system',
  },
  UNAVAILABLE: { EMFILE: TOO_MANY, ENFILE: TOO_MANY, ENOBUFS: NO_MEMORY, ENOLCK: NO_MEMORY, ENOMEM: NO_MEMORY },
  EXECUTION_ERROR: {
    EBADMSG: DISK_ERROR,
    EDQUOT: 'was not written: the quota of this user is used up',
    EHOSTDOWN: NO_ANSWER,
    EHOSTUNREACH: NO_ANSWER,
    EINTR: 'was interrupted before it was done',
    EIO: DISK_ERROR,
    EMLINK: 'has as many names as its file system allows',
    ENETDOWN: NO_ANSWER,
    ENETUNREACH: NO_ANSWER,
    ENODATA: DISK_ERROR,
    ENOEXEC: 'is not a program that this system can run',
    ENOLINK: NO_ANSWER,
    ENOMEDIUM: 'is on a drive that is empty',
    ENOSPC: 'was not written: no space is left on the disk',
    ENOSYS: NO_SUPPORT,
    ENOTCONN: NO_ANSWER,
    ENOTSUP: NO_SUPPORT,
    ENOTTY: NO_SUPPORT,
    EOPNOTSUPP: NO_SUPPORT,
    EPIPE: 'could not be written: nobody reads it any more',
    EREMOTEIO: DISK_ERROR,
    ESPIPE: NO_SUPPORT,
    ETIMEDOUT: NO_ANSWER,
    EUCLEAN: 'could not be used: its file system is damaged',
    EXDEV: 'is on another file system, where it cannot be moved or linked to in one step',
  },
}

const MEANINGS: ReadonlyMap<string, SystemErrorMeaning> = new Map(
  Object.entries(WORDS).flatMap(([code, names]) =>
    Object.entries(names).map(([name, words]) => [name, { code: code as ErrorCode, words }] as const),
  ),
)

const UNUSUAL: SystemErrorMeaning = {
  code: 'EXECUTION_ERROR',
  words: 'could not be used: the system refused it for an unusual reason',
}

/** The Linux names of errors that Node knows only by number ("Unknown system error -116"). */
const LINUX_NAMES: Readonly<Record<number, string>> = {
  8: 'ENOEXEC',
  35: 'EDEADLK',
  37: 'ENOLCK',
  67: 'ENOLINK',
  74: 'EBADMSG',
  116: 'ESTALE',
  117: 'EUCLEAN',
  122: 'EDQUOT',
  123: 'ENOMEDIUM',
  126: 'ENOKEY',
  129: 'EKEYREJECTED',
}

/** Returns the meaning of a system error by its name, with a general text for errors that file calls rarely give. */
export function meaningOf(name: string): SystemErrorMeaning {
  return MEANINGS.get(name) ?? UNUSUAL
}

/** Returns the name of a system error that Node threw, such as `ENOENT`; undefined for anything else. */
export function systemErrorName(thrown: unknown): string | undefined {
  if (!isError(thrown) || !('code' in thrown) || typeof thrown.code !== 'string') return undefined
  const number = /^Unknown system error -(\d+)$/.exec(thrown.code)?.[1]
  if (number !== undefined) return LINUX_NAMES[Number(number)] ?? 'UNKNOWN'
  return 'syscall' in thrown && /^(E[A-Z0-9]+|UNKNOWN)$/.test(thrown.code) ? thrown.code : undefined
}

/** Guarded, because `instanceof` on a proxy may throw. */
function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error
  } catch {
    return false
  }
}

/** A system error of a file call or of starting a program, in words for the caller. */
export interface ExplainedError extends SystemErrorMeaning {
  /** The path as it was passed; undefined if there is none, or if it is a path such as `/proc/…` that means nothing to people. */
  readonly path: string | undefined
}

/** Explains an error of a file call or of starting a program. Returns undefined for anything else, including network errors. */
export function explainSystemError(thrown: unknown): ExplainedError | undefined {
  const name = systemErrorName(thrown)
  if (name === undefined || !isError(thrown)) return undefined
  const syscall = 'syscall' in thrown ? String(thrown.syscall) : ''
  if (OF_THE_NETWORK.has(syscall)) return undefined
  const given = 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : undefined
  const path = given === undefined || /^\/(proc|dev\/fd)\//.test(given) ? undefined : given
  return { path, ...(syscall.startsWith('spawn') ? meaningOfStart(name) : meaningOf(name)) }
}

const OF_THE_NETWORK: ReadonlySet<string> = new Set(
  'accept bind connect getaddrinfo getnameinfo listen recv recvfrom send sendto shutdown socket'.split(' '),
)

function meaningOfStart(name: string): SystemErrorMeaning {
  if (name === 'ENOENT') return { code: 'UNAVAILABLE', words: 'could not be started: there is no such program' }
  if (name === 'EACCES') return { code: 'PERMISSION_DENIED', words: 'could not be started: it may not be executed' }
  return meaningOf(name)
}
