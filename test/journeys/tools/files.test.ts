import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'

function furnish(files: Readonly<Record<string, string>>): BuiltProgram {
  const program = buildProgram()
  for (const [path, content] of Object.entries(files)) {
    const full = join(program.workspace, path)
    mkdirSync(join(full, '..'), { recursive: true })
    writeFileSync(full, content)
  }
  return program
}

/** Calls as JSON lines, answered in order. */
async function callAll(
  program: BuiltProgram,
  calls: readonly (readonly [string, unknown])[],
  flags: readonly string[] = [],
) {
  const input = calls.map(([name, args], id) => JSON.stringify({ id, name, arguments: args })).join('\n')
  const { stdout } = await haft(program, ['call', '--stdin', ...flags], { input })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return answers.sort((a, b) => a.id - b.id)
}

test('S3.5 the calls quoted in the documents run as they are written there', async () => {
  const program = furnish({ 'config.json': '{"port": 1}', 'README.md': '# Read me\n', 'src/main.py': 'print()\n' })
  const answers = await callAll(program, [
    ['write_file', { path: 'scripts/hello.py', content: "#!/usr/bin/env python3\nprint('Hello, World!')" }],
    ['read_file', { path: 'config.json' }],
    ['list_files', { path: 'src' }],
    ['list_files', { path: '.' }],
    ['read_file', { path: 'README.md' }],
    ['write_file', { path: 'output.txt', content: 'Hello, world!' }],
    ['write_file', '{"path": "test.py", "content": "print(\'hi\')"}'],
    ['write_file', { path: 'sample.txt', content: 'Hello World' }],
    ['search_text', { pattern: 'World' }],
  ])
  expect(answers.map(({ ok }) => ok)).toEqual(answers.map(() => true))
  expect(readFileSync(join(program.workspace, 'scripts/hello.py'), 'utf8')).toBe(
    "#!/usr/bin/env python3\nprint('Hello, World!')",
  )
  expect(answers[1].data).toMatchObject({ content: '{"port": 1}', size: 11 })
  expect(answers[5]).toMatchObject({ text: 'Wrote 13 bytes to output.txt', data: { path: 'output.txt', size: 13 } })
  expect(answers[8].data.hits.map(({ path }: { path: string }) => path)).toEqual(['sample.txt', 'scripts/hello.py'])
})

test('S1.1 S3.3 list_directory leaves hidden names out, list_files shows them and needs no path', async () => {
  const program = furnish({ '.env': 'x', 'a.txt': '12345', 'd/deep/b.txt': '1' })
  symlinkSync('/etc', join(program.workspace, 'etc'))
  const [plain, hidden, tree, files] = await callAll(program, [
    ['list_directory', { path: '.' }],
    ['list_directory', { path: '.', includeHidden: true }],
    ['list_directory', { path: '.', recursive: true }],
    ['list_files', {}],
  ])
  expect(plain.data.entries).toEqual([
    { name: 'a.txt', type: 'file', size: 5, modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
    expect.objectContaining({ name: 'd', type: 'directory' }),
    expect.objectContaining({ name: 'etc', type: 'symlink' }),
  ])
  expect(hidden.data.entries[0].name).toBe('.env')
  const names = (answer: { data: { entries: { name: string }[] } }) => answer.data.entries.map(({ name }) => name)
  expect(names(tree)).toEqual(['a.txt', 'd', 'd/deep', 'd/deep/b.txt', 'etc'])
  expect(names(files)).toEqual(['.env', 'a.txt', 'd', 'etc'])
})

test('S1.2 S4.1 read_file gives text, bytes or lines, and says what it cannot give', async () => {
  const program = furnish({ 'full.txt': 'x'.repeat(1 << 20), 'large.txt': 'line\n'.repeat(300_000) })
  writeFileSync(join(program.workspace, 'binary'), Buffer.from([0xff, 0xfe, 0x00]))
  const [full, large, lines, binary, bytes, missing] = await callAll(program, [
    ['read_file', { path: 'full.txt' }],
    ['read_file', { path: 'large.txt' }],
    ['read_file', { path: 'large.txt', from: 299_999, to: 400_000 }],
    ['read_file', { path: 'binary' }],
    ['read_file', { path: 'binary', encoding: 'base64' }],
    ['read_file', { path: 'larg.txt' }],
  ])
  expect(full.data.content.length).toBe(1 << 20)
  expect(large).toMatchObject({ code: 'TOO_LARGE', text: expect.stringContaining('"from": 1') })
  expect(lines.data).toMatchObject({ content: 'line\nline\n', from: 299_999, to: 300_000, totalLines: 300_000 })
  expect(binary).toMatchObject({ ok: false, text: expect.stringContaining('not UTF-8') })
  expect(bytes.data).toMatchObject({ content: '//4A', size: 3 })
  expect(missing).toMatchObject({ code: 'FILE_NOT_FOUND', text: expect.stringContaining('Nearest: large.txt') })
})

test('S1.3 a new file is written at once, an overwrite asks and keeps the mode', async () => {
  const program = furnish({ 'run.sh': 'old' })
  chmodSync(join(program.workspace, 'run.sh'), 0o755)
  const calls = [
    ['write_file', { path: 'a/b/new.bin', content: 'AAEC', encoding: 'base64' }],
    ['write_file', { path: 'run.sh', content: 'new' }],
    ['write_file', { path: 'no/dir.txt', content: 'x', createDirs: false }],
    ['write_file', { path: '.github/workflows/ci.yml', content: 'on: push' }],
  ] as const
  const [made, denied, noFolder, trusted] = await callAll(program, calls)
  expect(made).toMatchObject({ ok: true, data: { path: 'a/b/new.bin', size: 3 } })
  expect(denied).toMatchObject({ code: 'DENIED' })
  expect(noFolder).toMatchObject({ code: 'FILE_NOT_FOUND' })
  expect(trusted).toMatchObject({ code: 'DENIED' })
  expect(existsSync(join(program.workspace, '.github'))).toBe(false)
  const [, overwritten] = await callAll(program, calls, ['--yes'])
  expect(overwritten).toMatchObject({ ok: true })
  expect(readFileSync(join(program.workspace, 'run.sh'), 'utf8')).toBe('new')
  expect(statSync(join(program.workspace, 'run.sh')).mode & 0o777).toBe(0o755)
})

test('S1.4 S1.5 deleting always asks, moving only when it overwrites', async () => {
  const program = furnish({ a: '1', b: '2', 'd/x': '3' })
  const calls = [
    ['delete_file', { path: 'a' }],
    ['move_file', { from: 'a', to: 'new/a' }],
    ['move_file', { from: 'b', to: 'new/a' }],
    ['move_file', { from: 'b', to: 'new/a', overwrite: true }],
    ['delete_file', { path: 'd', recursive: true }],
  ] as const
  const asked = await callAll(program, calls)
  expect(asked.map(({ code }) => code)).toEqual(['DENIED', undefined, 'CONFLICT', 'DENIED', 'DENIED'])
  expect(asked[1].data).toEqual({ from: 'a', to: 'new/a' })
  const answered = await callAll(program, calls.slice(3), ['--yes'])
  expect(answered.map(({ data }) => data)).toEqual([{ from: 'b', to: 'new/a' }, { deleted: ['d/x', 'd'] }])
  expect(readFileSync(join(program.workspace, 'new/a'), 'utf8')).toBe('2')
})

test('S3.6 edit_file shows what it changed, and the nearest lines when it cannot', async () => {
  const program = furnish({ 'a.py': 'def f():\n    return 1\n' })
  const edit = (old: string) => ['edit_file', { path: 'a.py', edits: [{ old, new: '    return 2' }] }] as const
  const [missed, made, none] = await callAll(
    program,
    [edit('    return 3'), edit('    return 1'), ['edit_file', { path: 'b.py', edits: [{ old: 'x', new: 'y' }] }]],
    ['--yes'],
  )
  expect(missed).toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'NOT_FOUND' },
    text: expect.stringContaining('2 |     return 1'),
  })
  expect(made.data.diff).toBe('--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n')
  expect(none).toMatchObject({ code: 'FILE_NOT_FOUND', details: { reason: 'NOT_FOUND' } })
})

test('find_files knows globs and puts the newest first', async () => {
  const program = furnish({ 'a.ts': '', 'src/b.ts': '', 'src/c.js': '', 'dist/d.ts': '', '.gitignore': 'dist\n' })
  utimesSync(join(program.workspace, 'a.ts'), 1, 1)
  const [names, paths] = await callAll(program, [
    ['find_files', { pattern: '*.ts' }],
    ['find_files', { pattern: 'src/**/*.{js,ts}', maxResults: 1 }],
  ])
  expect(names.data.files.map(({ path }: { path: string }) => path)).toEqual(['src/b.ts', 'a.ts'])
  expect(paths.data).toMatchObject({ files: [{ path: expect.stringMatching(/^src\//) }], more: true })
})

test('people see a listing as a table, with sizes and how long ago', async () => {
  const program = furnish({ 'notes.txt': 'x'.repeat(2_048), 'd/x': '' })
  utimesSync(join(program.workspace, 'notes.txt'), Date.now() / 1000 - 7_200, Date.now() / 1000 - 7_200)
  const { stdout } = await haft(program, ['call', 'list_directory', '{"path":"."}'])
  expect(stdout).toMatch(/^d\/ {19}(just now|\d+ s ago)\nnotes\.txt {4}2\.0 KB {2}2 h ago\n$/)
})

test('writing what a file already holds asks nobody, writes nothing and says so; a rule of the person still asks', async () => {
  const program = furnish({ 'a.txt': 'same\n', 'package.json': '{"scripts":{"install":"x"}}', 'b.txt': 'same\n' })
  utimesSync(join(program.workspace, 'a.txt'), 1, 1)
  mkdirSync(program.home)
  const rule = '[[rules]]\nname = "watch b"\ndecision = "ask"\npaths = ["b.txt"]\n'
  writeFileSync(join(program.home, 'settings.toml'), rule)
  const [same, trusted, other, watched] = await callAll(program, [
    ['write_file', { path: 'a.txt', content: 'same\n' }],
    ['write_file', { path: 'package.json', content: '{"scripts":{"install":"x"}}' }],
    ['write_file', { path: 'a.txt', content: 'Same\n' }],
    ['write_file', { path: 'b.txt', content: 'same\n' }],
  ])
  const text = 'a.txt is unchanged: it already holds exactly this content'
  expect(same).toMatchObject({ ok: true, text, data: { path: 'a.txt', size: 5 } })
  expect(trusted).toMatchObject({ ok: true })
  expect(other).toMatchObject({ ok: false, code: 'DENIED' })
  expect(watched).toMatchObject({ ok: false, code: 'DENIED', details: { rule: 'watch b' } })
  expect(statSync(join(program.workspace, 'a.txt')).mtimeMs).toBe(1_000)
  expect((await haft(program, ['undo', '--yes'])).stderr).toContain('nothing to undo')
})
