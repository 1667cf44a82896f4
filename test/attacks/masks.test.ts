import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHost, type Host } from '../../src/index.ts'

const SECRET = 'correct-horse-77-battery'
/** Reads the secret where it is, so that no argument holds it. */
const READ = 'import os, sys\nS = open(".env").read().split("=")[1].strip()\n'

let host: Host
const heard: string[] = []

beforeAll(async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'haft-masks-'))
  mkdirSync(join(workspace, 'conf'))
  writeFileSync(join(workspace, '.env'), `API_TOKEN=${SECRET}\n`)
  writeFileSync(join(workspace, 'conf/app.ini'), `a = 1\ntoken = ${SECRET}\nb = 2\n`)
  writeFileSync(join(workspace, `conf/${SECRET}.txt`), 'x\n')
  host = await createHost({ workspace, approver: { ask: async () => ({ approved: true }) } })
  host.on((event) => void heard.push(JSON.stringify(event)))
})
afterAll(async () => {
  await host.close()
  rmSync(host.workspace, { recursive: true })
})

const python = (code: string, more: object = {}) =>
  ['run_code', { language: 'python', code: `${READ}${code}`, ...more }] as const

test.for([
  ['it is printed character by character', ...python('for c in S: sys.stdout.write(c); sys.stdout.flush()')],
  ['it is printed to stderr', ...python('print(S, file=sys.stderr)')],
  ['it is in the text of an exception', ...python('raise RuntimeError(S)')],
  ['it is the name of a new file', ...python('open(S, "w").write("x")')],
  ['it is the name of a deleted folder', ...python('os.makedirs(S + "/d"); os.rmdir(S + "/d"); os.rmdir(S)')],
  [
    'it stands at every place of a long output that is cut',
    ...python('for i in range(4000): print("y" * (i % 40) + S)'),
  ],
  ['it stands on one long line', ...python('print("y" * 20011 + S + "z" * 20011 + S)')],
  ['it is printed between escape sequences', ...python('print("\\x1b[31m" + S + "\\x1b[0m")')],
  ['it is printed by a task in the background', ...python('print(S)', { background: true })],
  ['it is in a file that is read', 'read_file', { path: 'conf/app.ini' }],
  ['it is in a line that a search finds', 'search_text', { pattern: 'token', path: 'conf' }],
  ['it is a name in a listing', 'list_directory', { path: 'conf' }],
  ['it is a name that a search for files finds', 'find_files', { pattern: '**/*.txt' }],
  ['it is in the diff of an edit', 'edit_file', { path: 'conf/app.ini', edits: [{ old: 'b = 2', new: 'b = 3' }] }],
  ['it is in a piece of code that is found', 'search_code', { query: 'token b' }],
] as const)('S0.12 log, stream and listeners never hold a secret of .env: %s', async ([, name, args]) => {
  heard.length = 0
  const result = await host.call(name, args)
  await host.tasks.idle()
  expect(result).not.toMatchObject({ code: 'INVALID_ARGUMENTS' })
  const logged = JSON.stringify([await host.log.read(), await host.log.calls()])
  for (const text of [logged, heard.join('\n')]) {
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain(SECRET.slice(0, 16))
  }
  expect(heard.length).toBeGreaterThan(1)
})
