import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host, Rule } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

const SECRET = 'the treasure lies under the oak'

/** A host that says yes to everything, with these rules, in a workspace with these files. */
async function hostWith(rules: readonly Rule[], files: Readonly<Record<string, string>>): Promise<Host> {
  const workspace = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  return exampleHost({ workspace, rules, approver: { ask: async () => ({ approved: true }) } })
}

/** Runs a script of the workspace, so that no rule sees what it does. */
async function script(host: Host, text: string, more: object = {}) {
  writeFileSync(join(host.workspace, 'script.sh'), text)
  return host.call('shell', { command: 'bash script.sh 2>&1', ...more })
}

const denyReads = (...reads: string[]): Rule => ({ name: 'private', decision: 'deny', reads })

test.for([
  ['a folder', ['secrets/**'], 'secrets/plan.txt'],
  ['a file deep in a folder', ['secrets/**'], 'secrets/a/b/plan.txt'],
  ['a file that starts with a dot', ['secrets/**'], 'secrets/.plan'],
  ['a file in a folder that starts with a dot', ['**/*.pem'], '.config/x.pem'],
  ['a kind of file', ['**/*.pem'], 'certs/server.pem'],
  ['a file of a package', ['**/*.pem'], 'node_modules/a/x.pem'],
  ['one file', ['notes.md'], 'notes.md'],
] as const)('S2.5 what a person’s rule denies to read, no command reads: %s', async ([, reads, path]) => {
  const host = await hostWith([denyReads(...reads)], { [path]: SECRET, 'open.txt': 'open' })
  expect(await host.check('read_file', { path })).toMatchObject({ decision: 'deny', rule: 'private' })
  const { text } = await script(host, `cat ${path} open.txt; echo done\n`)
  expect(text).toContain('Permission denied')
  expect(text).toContain('open')
  expect(text).not.toContain(SECRET)
  const backwards = [...path].reverse().join('')
  const code = `print(open("${backwards}"[::-1]).read())`
  const read = await host.call('run_code', { language: 'python', code })
  expect(read.text).toContain('PermissionError')
  expect(read.text).not.toContain(SECRET)
  const live = await script(host, `cat ${path}\n`, { live: true })
  expect(live.text).not.toContain(SECRET)
  expect(readFileSync(join(host.workspace, path), 'utf8')).toBe(SECRET)
})

test('hidden files are there: a folder still lists them, and a hidden folder is not missing', async () => {
  const host = await hostWith([denyReads('secrets/**', '**/*.pem')], { 'secrets/a': SECRET, 'certs/x.pem': SECRET })
  const { text } = await script(host, 'ls certs; test -e secrets && echo there; ls secrets || echo closed\n')
  expect(text).toContain('x.pem')
  expect(text).toContain('there')
  expect(text).toContain('closed')
})

test('a file that appears after the first command is hidden from the next one, also in a new folder', async () => {
  const host = await hostWith([denyReads('**/*.pem')], { 'certs/old.txt': 'old' })
  await script(host, 'true\n')
  writeFileSync(join(host.workspace, 'certs/new.pem'), SECRET)
  expect((await script(host, 'cat certs/new.pem\n')).text).not.toContain(SECRET)
  mkdirSync(join(host.workspace, 'more/deep'), { recursive: true })
  writeFileSync(join(host.workspace, 'more/deep/x.pem'), SECRET)
  expect((await script(host, 'cat more/deep/x.pem\n')).text).toContain('Permission denied')
  renameSync(join(host.workspace, 'more'), join(host.workspace, 'moved'))
  expect((await script(host, 'cat moved/deep/x.pem\n')).text).toContain('Permission denied')
})

test('a rule that is added later hides too', async () => {
  const host = await hostWith([], { 'secrets/a': SECRET })
  expect((await script(host, 'cat secrets/a\n')).text).toContain(SECRET)
  host.addRule(denyReads('secrets/**'))
  expect((await script(host, 'cat secrets/a\n')).text).toContain('Permission denied')
})

test.for([
  ['for the tools that run commands', { tools: ['shell', 'run_code'] }, false],
  ['for paths of any kind', { reads: undefined, paths: ['secrets/**'] }, false],
  ['for another tool alone', { tools: ['read_file'] }, true],
  ['for some commands alone', { commands: ['^git '] }, true],
] as const)('a deny %s', async ([, more, isRead]) => {
  const { reads, ...rest } = { ...denyReads('secrets/**'), ...more }
  const host = await hostWith([{ ...rest, ...(reads && { reads }) }], { 'secrets/a': SECRET })
  expect((await script(host, 'cat secrets/a\n')).text.includes(SECRET)).toBe(isRead)
})

test.for([
  ['the folder of a hidden file', { 'certs/x.pem': SECRET }, 'mv certs free && ls free\n', 'free/x.pem'],
  ['a folder above it', { 'a/b/x.pem': SECRET }, 'mv a free\n', 'free/b/x.pem'],
  ['the folder of a key file', { 'keys/id_rsa': SECRET }, 'mv keys free\n', 'free/id_rsa'],
  ['a hidden folder', { 'secrets/x': SECRET }, 'mv secrets free\n', 'free/x'],
  ['the folder of a hidden folder', { 'a/secrets/x': SECRET }, 'mv a free\n', 'free/secrets/x'],
] as const)('moving %s away does not open it', async ([, files, text, path]) => {
  const host = await hostWith([denyReads('**/*.pem', 'secrets/**', 'a/secrets/**')], files)
  const moved = await script(host, text)
  expect(moved.text).not.toContain(SECRET)
  const read = await script(host, `cat ${path}\n`)
  expect(read.text).not.toContain(SECRET)
  expect(existsSync(join(host.workspace, path)), moved.text).toBe(false)
  for (const [original, content] of Object.entries(files))
    expect(readFileSync(join(host.workspace, original), 'utf8')).toBe(content)
})

test('a dry run of a command that moves a hidden file does not show it', async () => {
  const host = await hostWith([denyReads('**/*.pem')], { 'certs/x.pem': SECRET, 'move.sh': 'mv certs free\n' })
  const dry = await host.check('shell', { command: 'bash move.sh' }, { dryRun: true } as never)
  expect(JSON.stringify(dry)).not.toContain(SECRET)
})

test('more files than can be hidden one by one are hidden with their folder', async () => {
  const files = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`many/${index}.pem`, SECRET]))
  const host = await hostWith([denyReads('**/*.pem')], { ...files, 'few/a.pem': SECRET, 'few/b.txt': 'open' })
  const { text } = await script(host, 'cat many/*.pem many/7.pem few/a.pem few/b.txt\n')
  expect(text).toContain('open')
  expect(text).not.toContain(SECRET)
})

test('where they cannot be hidden, no command runs, and the error says what to do', async () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.pem`, SECRET]))
  const host = await hostWith([denyReads('*.pem')], files)
  expect(await script(host, 'cat 1.pem\n')).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
})

test('git works beside hidden files, and a background command cannot read them either', async () => {
  const host = await hostWith([denyReads('secrets/**')], { 'secrets/a': SECRET, 'b.txt': 'b' })
  execFileSync('git', ['-C', host.workspace, 'init', '-q'])
  const added = await script(host, 'git add b.txt && git -c user.name=a -c user.email=b commit -qm c && echo done\n')
  expect(added.text).toContain('done')
  const task = await script(host, 'cat secrets/a; echo ended\n', { background: true })
  expect(task).toMatchObject({ ok: true })
  await host.tasks.idle()
  const report = await host.tasks.read((await host.tasks.list())[0]?.task ?? '')
  expect(report?.result?.text).toContain('Permission denied')
  expect(report?.result?.text).not.toContain(SECRET)
})
