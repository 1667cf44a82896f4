import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf, ToolError } from '../../../core/call/result.ts'
import { systemErrorName } from '../../../core/text/system-errors.ts'

/** Thrown when opening is refused: a file or a SQLite version that Haft must not use. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal'
}

const SQLITE_WORDS: Readonly<Record<number, string>> = {
  5: 'another process has locked it for too long',
  8: 'it is read-only',
  10: 'the disk reported an error',
  11: 'it is damaged. Move it away and Haft starts a new one',
  13: 'the disk is full',
  14: 'it cannot be opened or created',
  26: 'it is not a Haft log. Move it away and Haft starts a new one',
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOENT: 'its folder cannot be created; the file system may be read-only',
  ENOTDIR: 'there is a file in place of its folder',
  EEXIST: 'there is a file in place of its folder',
}

/** Explains to a person why the log cannot be written. */
export function describeProblem(thrown: unknown, path: string): string {
  const { code, errcode } = codesOf(thrown)
  const kind = errcode === undefined ? undefined : errcode & 0xff
  // On a full disk, SQLite reports files beside the log as disk errors or as files that cannot be opened.
  if ((kind === 10 || kind === 14) && isDiskFull(path)) return describeWords(path, SYSTEM_WORDS.ENOSPC)
  return describeWords(path, SQLITE_WORDS[kind ?? -1] ?? SYSTEM_WORDS[code ?? ''] ?? reasonOf(thrown))
}

function describeWords(path: string, words: string | undefined): string {
  return `The log ${path} cannot be written: ${words}.`
}

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < 100_000
  } catch {
    return false
  }
}

/** Returns the error of a durable wait; the waiting call must not run. */
export function unavailable(problem: string): ToolError {
  return new ToolError(
    'UNAVAILABLE',
    `${problem} Calls that change something cannot run without it; calls that only read still work.`,
    {
      retryable: true,
    },
  )
}

/** Why a log cannot be used any more, in words; undefined for problems that pass or lie elsewhere. */
export function describeDamage(thrown: unknown): string | undefined {
  const kind = (codesOf(thrown).errcode ?? 0) & 0xff
  if (kind === 11) return 'parts of it cannot be read'
  return kind === 26 ? 'it is not a Haft log' : undefined
}

/** True when another process or connection holds a lock. */
export function isBusy(thrown: unknown): boolean {
  return codesOf(thrown).errcode === 5
}

function codesOf(thrown: unknown): { code: string | undefined; errcode: number | undefined } {
  if (!(thrown instanceof Error)) return { code: undefined, errcode: undefined }
  const code = systemErrorName(thrown)
  const errcode = 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode : undefined
  return { code, errcode }
}
