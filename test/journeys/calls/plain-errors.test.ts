import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { objectSchema, type Tool } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { RAW_ERROR } from '../../support/raw-errors.ts'

const main = join(import.meta.dirname, '../../../dist/main.js')

/** A workspace with everything that a file call can stumble over. */
function makeOddWorkspace(): string {
  const workspace = temporaryFolder()
  const at = (path: string) => join(workspace, path)
  for (const folder of ['locked', 'unlisted', 'unentered', 'fixed']) {
    mkdirSync(at(folder))
    writeFileSync(at(`${folder}/file.txt`), 'text\n')
  }
  writeFileSync(at('plain.txt'), 'text\n')
  writeFileSync(at('unread.txt'), 'text\n')
  symlinkSync('round', at('round'))
  symlinkSync('nowhere', at('broken'))
  symlinkSync('/etc', at('outside'))
  execFileSync('mkfifo', [at('fifo')])
  chmodSync(at('unread.txt'), 0)
  chmodSync(at('locked'), 0)
  chmodSync(at('unlisted'), 0o311)
  chmodSync(at('unentered'), 0o644)
  chmodSync(at('fixed'), 0o555)
  return workspace
}

const LONG = 'n'.repeat(300)
const DEEP = `${'d'.repeat(200)}/`.repeat(30)
const FOLDERS = ['locked', 'unlisted', 'unentered', 'fixed', 'plain.txt', 'round', 'broken', 'outside', 'fifo', LONG]
const PATHS = [
  ...FOLDERS.flatMap((folder) => [folder, `${folder}/file.txt`, `${folder}/missing.txt`, `${folder}/a/b/c`]),
  ...['unread.txt', DEEP, `${DEEP}x`, `fixed/${LONG}`, `${LONG}/${LONG}`, '\u{1F600}'.repeat(70)],
]

/** Every file tool at one path. */
function callsAt(path: string): { name: string; arguments: unknown }[] {
  return [
    { name: 'read_file', arguments: { path } },
    { name: 'read_file', arguments: { path, from: 1, to: 2 } },
    { name: 'list_directory', arguments: { path } },
    { name: 'list_directory', arguments: { path, recursive: true } },
    { name: 'find_files', arguments: { path, pattern: '**/*.txt' } },
    { name: 'search_text', arguments: { path, pattern: 'text' } },
    { name: 'write_file', arguments: { path, content: 'new' } },
    { name: 'edit_file', arguments: { path, edits: [{ old: 'text', new: 'other' }] } },
    { name: 'move_file', arguments: { from: path, to: 'moved.txt' } },
    { name: 'move_file', arguments: { from: 'plain.txt', to: path } },
    { name: 'delete_file', arguments: { path, recursive: true } },
    { name: 'shell', arguments: { command: 'true', cwd: path } },
  ]
}

test('whatever a path is, no file tool answers with a raw system error', () => {
  const [workspace, home] = [makeOddWorkspace(), temporaryFolder()]
  const calls = PATHS.flatMap(callsAt)
  const asUser = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search,-fowner']
  const [program = '', ...args] = [
    ...(process.getuid?.() === 0 ? asUser : []),
    ...[process.execPath, main, 'call', '--stdin', '--yes'],
  ]
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: workspace,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), HAFT_HOME: home },
    input: calls.map((call, id) => `${JSON.stringify({ id, ...call })}\n`).join(''),
    maxBuffer: 100_000_000,
  })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers, stderr).toHaveLength(calls.length)
  const raw = answers.filter(({ text }) => RAW_ERROR.test(text))
  expect(raw.map(({ id, text }) => `${JSON.stringify(calls[id]).slice(0, 200)}: ${text}`)).toEqual([])
  const failed = answers.filter(({ ok }) => !ok)
  expect(failed.length).toBeGreaterThan(300)
  expect(new Set(failed.map(({ code }) => code))).toEqual(
    new Set(['INVALID_PATH', 'FILE_NOT_FOUND', 'PERMISSION_DENIED', 'INVALID_ARGUMENTS', 'CONFLICT']),
  )
  for (const folder of ['locked', 'unlisted', 'unentered', 'fixed']) chmodSync(join(workspace, folder), 0o755)
})

test('a system error thrown by a user’s own tool gets one of Haft’s codes and plain words', async () => {
  const lets = (name: string, execute: () => unknown): Tool => ({
    ...{ name, description: 'Lets a system error through.', input: objectSchema({}), effect: 'none', execute },
  })
  const host = await exampleHost({
    tools: [
      lets('missing', () => readFileSync('/nonexistent/notes.txt')),
      lets('long', async () => openSync(`/tmp/${LONG}`, 'r')),
      lets('program', () => execFileSync('no-such-program-here')),
    ],
  })
  expect(await host.call('missing', {})).toMatchObject({
    code: 'FILE_NOT_FOUND',
    text: '/nonexistent/notes.txt does not exist (refused by the system).',
    details: { path: '/nonexistent/notes.txt' },
  })
  expect(await host.call('long', {})).toMatchObject({
    code: 'INVALID_PATH',
    text: expect.not.stringMatching(RAW_ERROR),
  })
  expect(await host.call('program', {})).toMatchObject({
    code: 'UNAVAILABLE',
    text: 'no-such-program-here could not be started: there is no such program (refused by the system).',
  })
})
