import { constants } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import { expect, test } from 'vitest'
import { RAW_ERROR } from '../../test/support/raw-errors.ts'
import { isErrorCode } from '../core/call/codes.ts'
import { failureOf, messageOf, reasonOf, ToolError } from '../core/call/result.ts'
import { explainErrno } from './file-errors.ts'

const NAMED = getSystemErrorMap()

/** A system error as Node throws it: libuv names some, for the others Node has only the number. */
function systemError(errno: number, path: string | undefined, syscall = 'open'): Error {
  const [code, words] = NAMED.get(-errno) ?? [`Unknown system error ${-errno}`, `Unknown system error ${-errno}`]
  const message = `${code}: ${words}, ${syscall}${path === undefined ? '' : ` '${path}'`}`
  return Object.assign(new Error(message), { errno: -errno, code, syscall, ...(path !== undefined && { path }) })
}

/** Every error that a system call of Linux can give, and what Node calls those of this machine. */
const NUMBERS = [
  ...new Set([...Array.from({ length: 133 }, (_, index) => index + 1), ...Object.values(constants.errno)]),
]
const PATHS = ['notes/a.txt', '/proc/self/fd/17/a.txt', '/proc/4711/root/mnt/a.txt', undefined]

const CASES = NUMBERS.flatMap((errno) => PATHS.map((path) => ({ errno, path })))

test('every error of a file operation is explained in plain words and names the given path', () => {
  for (const { errno, path } of CASES) {
    const explained = explainErrno(systemError(errno, path), 'notes/b.txt')
    expect(explained, `${errno}`).toBeInstanceOf(ToolError)
    const { code, text, details } = failureOf(explained)
    expect(isErrorCode(code)).toBe(true)
    expect(text).not.toMatch(RAW_ERROR)
    expect(text).toMatch(/^notes\/b\.txt \w+.* \w+.*\.$/)
    expect(details).toMatchObject({ path: 'notes/b.txt' })
  }
})

test('every system error that a tool does not catch is explained in plain words', () => {
  for (const { errno, path } of CASES) {
    for (const syscall of ['open', 'scandir', 'rename', 'spawn bash', 'write']) {
      const thrown = systemError(errno, path, syscall)
      const { text, details } = failureOf(thrown)
      for (const words of [text, messageOf(thrown), reasonOf(thrown), JSON.stringify(details ?? {})])
        expect(words).not.toMatch(RAW_ERROR)
      expect(text).toMatch(path === 'notes/a.txt' ? /^notes\/a\.txt \w+/ : /^A file \w+/)
    }
  }
})

test('the error code says what happened', () => {
  const codeOf = (name: keyof typeof constants.errno) => failureOf(systemError(constants.errno[name], 'a')).code
  expect({
    missing: codeOf('ENOENT'),
    forbidden: codeOf('EACCES'),
    long: codeOf('ENAMETOOLONG'),
    there: codeOf('EEXIST'),
    stale: codeOf('ESTALE'),
    quota: codeOf('EDQUOT'),
    full: codeOf('ENOSPC'),
    large: codeOf('EFBIG'),
    descriptors: codeOf('EMFILE'),
  }).toEqual({
    missing: 'FILE_NOT_FOUND',
    forbidden: 'PERMISSION_DENIED',
    long: 'INVALID_PATH',
    there: 'CONFLICT',
    stale: 'CONFLICT',
    quota: 'EXECUTION_ERROR',
    full: 'EXECUTION_ERROR',
    large: 'TOO_LARGE',
    descriptors: 'UNAVAILABLE',
  })
})

test('a network error and an error that is not from the system keep their text', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
    ...{ errno: -111, code: 'ECONNREFUSED', syscall: 'connect' },
  })
  expect(failureOf(refused)).toMatchObject({ code: 'EXECUTION_ERROR', text: 'connect ECONNREFUSED 127.0.0.1:1' })
  const own = Object.assign(new Error('no such colour'), { code: 'ECOLOUR' })
  expect(failureOf(own)).toMatchObject({ code: 'EXECUTION_ERROR', text: 'no such colour' })
  expect(explainErrno(own, 'a.txt')).toBe(own)
})
