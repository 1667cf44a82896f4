import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf, ToolError } from '../../../core/call/result.ts'
import { systemErrorName } from '../../../core/text/system-errors.ts'

/** What opening refuses outright: a file or a SQLite that this version must not touch. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal'
}

const SQLITE_WORDS: Readonly<Record<number, string>> = {
  5: 'another process holds it for too long',
  8: 'it is read-only',
  10: 'the disk answers with an error',
  11: 'it is damaged. Move it away and Haft starts a new one',
  13: 'the disk is full',
  14: 'it cannot be opened or made',
  26: 'it is not a Haft log. Move it away and Haft starts a new one',
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOENT: 'its folder cannot be made; the file system may be read-only',
  ENOTDIR: 'a file stands where its folder should be',
  EEXIST: 'a file stands where its folder should be',
}

/** Why the log cannot be written, in words for a person. */
export function describeProblem(thrown: unknown, path: string): string {
  const { code, errcode } = codesOf(thrown)
  const kind = errcode === undefined ? undefined : errcode & 0xff
  // A file beside the log that finds no room is told as an error of the disk, or as one that cannot be opened.
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

/** What a durable wait rejects with: the call that waits must not run. */
export function unavailable(problem: string): ToolError {
  return new ToolError(
    'UNAVAILABLE',
    `${problem} Calls that change things need it first; calls that only read go on.`,
    {
      retryable: true,
    },
  )
}

/** True when a lock is held by someone else. */
export function isBusy(thrown: unknown): boolean {
  return codesOf(thrown).errcode === 5
}

function codesOf(thrown: unknown): { code: string | undefined; errcode: number | undefined } {
  if (!(thrown instanceof Error)) return { code: undefined, errcode: undefined }
  const code = systemErrorName(thrown)
  const errcode = 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode : undefined
  return { code, errcode }
}
