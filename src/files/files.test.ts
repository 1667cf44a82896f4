import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ToolError } from '../core/call/result.ts'
import type { Files, GuardedFiles, Replaced } from '../core/ports/files.ts'
import { createFiles } from './files.ts'

const { signal } = new AbortController()
let workspace: string
let access: GuardedFiles
let files: Files
let replaced: Replaced[]

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'haft-files-'))
  replaced = []
  access = createFiles({ workspace, replaced: (record) => replaced.push(record) })
  files = access.forCall({ id: 'c1', expects: {}, signal })
})

afterEach(() => rmSync(workspace, { recursive: true, force: true }))

const at = (path: string) => join(workspace, path)
const put = (path: string, content: string) => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), content)
}
const text = (path: string) => readFileSync(at(path), 'utf8')

function failureOf(attempt: () => unknown): ToolError {
  try {
    attempt()
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe('S1.2 reading', () => {
  test('reads a link that ends inside', () => {
    put('real/a.txt', 'here')
    symlinkSync('real', at('folder'))
    symlinkSync('folder/a.txt', at('link'))
    expect(files.read('link', 100)).toMatchObject({ path: 'real/a.txt', size: 4 })
  })

  test('a fifo is refused at once', () => {
    execFileSync('mkfifo', [at('fifo')])
    expect(failureOf(() => files.read('fifo', 100)).code).toBe('INVALID_PATH')
    expect(failureOf(() => files.write('fifo', Buffer.from('x'))).code).toBe('INVALID_PATH')
  })

  test('the error for a missing file names the nearest ones', () => {
    put('src/config.json', '{}')
    const failure = failureOf(() => files.read('src/confg.json', 100))
    expect(failure.code).toBe('FILE_NOT_FOUND')
    expect(failure.message).toContain('src/config.json')
    expect(failureOf(() => files.read('scr/config.json', 100)).message).toContain('Nearest: src/config.json, src.')
    expect(failureOf(() => files.read('config.json', 100)).message).toContain('Nearest: src/config.json.')
  })

  test('the error for a path outside does not reveal whether it exists', () => {
    symlinkSync('/etc', at('d'))
    symlinkSync('/etc/passwd', at('there'))
    symlinkSync('/etc/no-such-file', at('nowhere'))
    const words = (path: string) => failureOf(() => files.read(path, 100)).message.replace(path, '')
    expect(words('d/passwd')).toBe(words('d/no-such-file'))
    expect(words('d/passwd/x')).toBe(words('d/no-such-file'))
    expect(words('there')).toBe(words('nowhere'))
  })

  test.each([
    ['in the middle', 'one\ntwo\nthree\n', 2, 2, 'two\n', undefined],
    ['to an open end', 'one\ntwo\nthree', 2, 9, 'two\nthree', 3],
    ['to the very end', 'one\ntwo\n', 1, 2, 'one\ntwo\n', 2],
    ['of an empty file', '', 1, 5, '', 0],
    ['behind a very long line', `${'x'.repeat(300_000)}\nlast`, 2, 2, 'last', 2],
  ])('reads lines %s', (_name, content, from, to, expected, total) => {
    put('lines', content)
    const part = files.readLines('lines', { from, to, limit: 1_000_000 })
    expect(Buffer.from(part.bytes).toString()).toBe(expected)
    expect(part.total).toBe(total)
  })

  test('reading past the end and reading too much are reported', () => {
    put('a', 'one\n')
    expect(failureOf(() => files.readLines('a', { from: 3, to: 4, limit: 10 })).message).toContain('has 1 lines')
    expect(failureOf(() => files.read('a', 3))).toMatchObject({ code: 'TOO_LARGE' })
    expect(failureOf(() => files.read('a', 3)).message).toContain('"from": 1')
  })
})

describe('S1.3 writing', () => {
  test('creates folders, keeps the mode, leaves nothing else behind', () => {
    files.write('a/b/c.sh', Buffer.from('one'))
    chmodSync(at('a/b/c.sh'), 0o751)
    files.write('a/b/c.sh', Buffer.from('two'))
    expect(text('a/b/c.sh')).toBe('two')
    expect(statSync(at('a/b/c.sh')).mode & 0o777).toBe(0o751)
    expect(readdirSync(at('a/b'))).toEqual(['c.sh'])
  })

  test('a hard link of the file keeps its own content', () => {
    put('a', 'old')
    linkSync(at('a'), at('b'))
    files.write('a', Buffer.from('new'))
    expect(text('b')).toBe('old')
  })

  test('a link that ends inside is written through, and stays a link', () => {
    put('real', 'old')
    symlinkSync('real', at('link'))
    files.write('link', Buffer.from('new'))
    expect(text('real')).toBe('new')
    expect(replaced.at(-1)).toMatchObject({ path: 'real', before: { type: 'file' } })
  })

  test.each([
    '.git/hooks/pre-commit',
    '.git/config',
    '.GIT/Config',
    '.git/modules/sub/config',
    '.git',
    '.haft/settings.toml',
    '.haft',
    'sub/.haft/tools/x.ts',
    'sub/.git/hooks/post-merge',
  ])('%s is not writable, even when missing', (path) => {
    expect(failureOf(() => files.write(path, Buffer.from('x')))).toMatchObject({ code: 'INVALID_PATH' })
    expect(failureOf(() => access.looking().writable(path))).toMatchObject({ code: 'INVALID_PATH' })
    put('a', 'x')
    expect(failureOf(() => files.move('a', path))).toMatchObject({ code: 'INVALID_PATH' })
    expect(readdirSync(workspace)).toEqual(['a'])
  })

  test('a protected folder is not reached through a link either', () => {
    mkdirSync(at('.git/hooks'), { recursive: true })
    symlinkSync('.git/hooks', at('innocent'))
    expect(failureOf(() => files.write('innocent/pre-commit', Buffer.from('x'))).code).toBe('INVALID_PATH')
    expect(readdirSync(at('.git/hooks'))).toEqual([])
  })

  test('a file that changed since prepare is a conflict and stays as it is', () => {
    put('a', 'seen')
    const bound = access.forCall({ id: 'c2', expects: { a: access.looking().state('a', 'content'), b: null }, signal })
    put('a', 'changed')
    put('b', 'appeared')
    expect(failureOf(() => bound.write('a', Buffer.from('x')))).toMatchObject({ code: 'CONFLICT' })
    expect(failureOf(() => bound.write('b', Buffer.from('x')))).toMatchObject({ code: 'CONFLICT' })
    expect(failureOf(() => bound.delete('a'))).toMatchObject({ code: 'CONFLICT' })
    expect([text('a'), text('b'), readdirSync(workspace).length]).toEqual(['changed', 'appeared', 2])
    expect(replaced).toEqual([])
  })

  test('nothing is changed before the commit point, nor after the call was cancelled', () => {
    put('a', 'old')
    const stop = new AbortController()
    const bound = access.forCall({ id: 'c4', expects: {}, signal: stop.signal })
    stop.abort(new Error('too late'))
    for (const [held, words] of [
      [access.looking(), 'only in execute'],
      [bound, 'too late'],
    ] as const) {
      expect(() => held.write('a', Buffer.from('new'))).toThrow(words)
      expect(() => held.delete('a')).toThrow(words)
      expect(() => held.move('a', 'b')).toThrow(words)
    }
    expect([text('a'), readdirSync(workspace)]).toEqual(['old', ['a']])
  })

  test('nothing is changed when the replaced content cannot be kept', () => {
    put('a', 'old')
    const refusing = createFiles({
      workspace,
      replaced: () => {
        throw new Error('the disk is full')
      },
    }).forCall({ id: 'c3', expects: {}, signal })
    expect(() => refusing.write('a', Buffer.from('new'))).toThrow('the disk is full')
    expect(() => refusing.delete('a')).toThrow('the disk is full')
    expect(() => refusing.move('a', 'b')).toThrow('the disk is full')
    expect([text('a'), readdirSync(workspace)]).toEqual(['old', ['a']])
  })
})

describe('S1.4 deleting', () => {
  test('a folder that is not empty is deleted only with recursive', () => {
    put('d/x', '1')
    expect(failureOf(() => files.delete('d'))).toMatchObject({ code: 'CONFLICT' })
    expect(files.delete('d', { recursive: true })).toEqual(['d/x', 'd'])
    expect(existsSync(at('d'))).toBe(false)
  })

  test('a folder that got another file since prepare stays', () => {
    put('d/x', '1')
    const bound = access.forCall({ id: 'c2', expects: { d: access.looking().state('d', 'entry') }, signal })
    put('d/y', '2')
    expect(failureOf(() => bound.delete('d', { recursive: true }))).toMatchObject({ code: 'CONFLICT' })
    expect(readdirSync(at('d'))).toEqual(['x', 'y'])
  })
})

describe('S1.5 moving', () => {
  test('replaces only with overwrite, and never a folder', () => {
    put('a', '1')
    put('b', '2')
    mkdirSync(at('d'))
    expect(failureOf(() => files.move('a', 'b'))).toMatchObject({ code: 'CONFLICT' })
    expect(failureOf(() => files.move('a', 'd', { overwrite: true })).message).toContain('d/a')
    files.move('a', 'b', { overwrite: true })
    expect([text('b'), existsSync(at('a'))]).toEqual(['1', false])
  })

  test('a folder cannot be moved into itself', () => {
    put('d/x', '1')
    expect(failureOf(() => files.move('d', 'd/e/f'))).toMatchObject({ code: 'INVALID_PATH' })
    expect(text('d/x')).toBe('1')
  })
})

describe('S1.1 listing', () => {
  test('a recursive listing skips files in .gitignore, hidden files and the targets of links', async () => {
    for (const path of ['a.ts', 'build/out.js', 'src/b.ts', 'src/b.log', 'src/keep.log', '.env', 'node_modules/x/y.js'])
      put(path, '1')
    put('.gitignore', 'build/\nnode_modules\n*.log\n')
    put('src/.gitignore', '!keep.log\n')
    symlinkSync('/etc', at('etc'))
    const names = async (options: object) =>
      (await files.walk('.', { limit: 100, ignore: true, ...options })).entries.map(({ name }) => name)
    expect(await names({})).toEqual(['a.ts', 'etc', 'src', 'src/b.ts', 'src/keep.log'])
    expect(await names({ hidden: true })).toContain('.env')
    expect(await names({ ignore: false })).toContain('build/out.js')
    expect((await files.walk('src', { limit: 9, ignore: true })).entries.map(({ name }) => name)).toEqual([
      'b.ts',
      'keep.log',
    ])
  })

  test('a long listing is read page by page', async () => {
    for (let index = 0; index < 25; index++) put(`d${index % 5}/f${index}`, '')
    const whole = await files.walk('.', { limit: 1_000 })
    const pages = []
    for (let offset = 0; ; offset += 7) {
      const page = await files.walk('.', { limit: 7, offset })
      pages.push(...page.entries)
      if (!page.more) break
    }
    expect(pages).toEqual(whole.entries)
  })
})

describe('S3.6 searching', () => {
  const search = async (query: object) => {
    const hits: string[] = []
    const signal = new AbortController().signal
    const more = await files.search({ pattern: 'needle', path: '.', limit: 100, signal, ...query }, (found) => {
      for (const { path, line, text, match } of found) hits.push(`${path}${match ? ':' : '-'}${line} ${text}`)
    })
    return { hits: hits.sort(), more }
  }

  test('finds lines with their context, follows no link, honours .gitignore', async () => {
    put('a.txt', 'one\nneedle here\nthree\n')
    put('ignored.txt', 'needle')
    put('.gitignore', 'ignored.txt')
    put('sub/b.md', 'Needle (x)\n')
    symlinkSync('/etc', at('etc'))
    expect(await search({ context: 1 })).toEqual({
      hits: ['a.txt-1 one', 'a.txt-3 three', 'a.txt:2 needle here'],
      more: false,
    })
    expect((await search({ ignoreCase: true, glob: '*.md' })).hits).toEqual(['sub/b.md:1 Needle (x)'])
    expect((await search({ pattern: '(x)', path: 'sub' })).hits).toEqual(['sub/b.md:1 Needle (x)'])
    expect((await search({ pattern: '^needle\\b', regex: true, path: 'a.txt' })).hits).toEqual(['a.txt:2 needle here'])
  })

  test('stops at the limit and on cancel', async () => {
    put('many.txt', 'needle\n'.repeat(5_000))
    const { hits, more } = await search({ limit: 3 })
    expect([hits.length, more]).toEqual([3, true])
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await expect(search({ signal: stop.signal })).rejects.toThrow('enough')
  })

  test('an invalid regular expression is reported', async () => {
    await expect(search({ pattern: '(', regex: true })).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    await expect(search({ path: '../x' })).rejects.toMatchObject({ code: 'INVALID_PATH' })
    await expect(search({ path: 'no' })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })
})
