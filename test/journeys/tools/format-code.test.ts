import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HostOptions } from '../../../src/index.ts'
import { exampleHost } from '../../support/example-host.ts'
import { writeFiles } from '../../support/git.ts'
import { findRust } from '../../support/rust.ts'

findRust()

const read = (workspace: string, path: string) => readFileSync(join(workspace, path), 'utf8')

/** A formatter, a project that has chosen it, a file and what becomes of it. */
interface Sample {
  readonly formatter: string
  readonly files: Readonly<Record<string, string>>
  readonly file: string
  readonly text: string
}

const SAMPLES: readonly Sample[] = [
  { formatter: 'black', files: { 'a.py': "x = {  'a':1 }\n" }, file: 'a.py', text: 'x = {"a": 1}\n' },
  {
    formatter: 'gofmt',
    files: { 'go.mod': 'module x\n', 'a.go': 'package a\nfunc  F( ) {}\n' },
    file: 'a.go',
    text: 'package a\n\nfunc F() {}\n',
  },
  {
    formatter: 'rustfmt',
    files: { 'Cargo.toml': '[package]\nedition = "2021"\n', 'src/a.rs': 'fn  f( ){ }\n' },
    file: 'src/a.rs',
    text: 'fn f() {}\n',
  },
  {
    formatter: 'clang-format',
    files: { '.clang-format': 'BasedOnStyle: LLVM\n', 'a.c': 'int  f( ){return 1;}\n' },
    file: 'a.c',
    text: 'int f() { return 1; }\n',
  },
]

test.for(SAMPLES)(
  'S1.13 format_code uses $formatter in the sandbox, without asking, and can be undone',
  async ({ formatter, files, file, text }) => {
    const host = await exampleHost()
    writeFiles(host.workspace, files)
    const check = await host.call('format_code', { check: true })
    expect(check).toMatchObject({
      ok: true,
      data: {
        formatters: [formatter],
        files: [file],
        diff: expect.stringContaining(`+${text.trimEnd().split('\n').at(-1)}`),
      },
    })
    expect(read(host.workspace, file)).toBe(files[file])
    const preview = await host.check('format_code', {})
    expect(preview).toMatchObject({ decision: 'allow' })
    expect(await host.call('format_code', {})).toMatchObject({
      ok: true,
      data: { formatters: [formatter], files: [file] },
    })
    expect(read(host.workspace, file)).toBe(text)
    expect(await host.call('format_code', { paths: [file] })).toMatchObject({
      ok: true,
      data: { files: [] },
      text: expect.stringContaining('are formatted'),
    })
    await host.undo(await host.undoable(), { decision: 'allow' })
    expect(read(host.workspace, file)).toBe(files[file])
  },
)

test('the person who is asked sees the diff', async () => {
  const shown: string[] = []
  const host = await exampleHost({
    approver: {
      ask(request) {
        shown.push(`${request.preview?.kind} ${request.preview?.text}`)
        return Promise.resolve({ approved: false })
      },
    },
  })
  host.addRule({ name: 'ask_formatting', decision: 'ask', reason: 'I look first', tools: ['format_code'] })
  writeFiles(host.workspace, { 'a.py': 'x  = 1\n' })
  expect(await host.call('format_code', {})).toMatchObject({ ok: false, code: 'DENIED' })
  expect(shown).toEqual([expect.stringMatching(/^diff [\s\S]*-x {2}= 1\n\+x = 1/)])
  expect(read(host.workspace, 'a.py')).toBe('x  = 1\n')
})

test.for([
  ['biome', { 'biome.json': '{}' }, 'const a = { b: 1 };\n'],
  ['prettier', { '.prettierrc': '{ "semi": false }' }, 'const a = { b: 1 }\n'],
] as const)("the project's own %s comes from its node_modules", async ([formatter, settings, text]) => {
  const options: HostOptions = { sandbox: 'off' }
  const host = await exampleHost(options)
  writeFiles(host.workspace, { ...settings, 'src/a.js': 'const a={b:1}\n', '.gitignore': 'node_modules\n' })
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(host.workspace, 'node_modules'))
  const result = await host.call('format_code', { paths: ['src'] }, { decision: 'allow' })
  expect(result).toMatchObject({ ok: true, data: { formatters: [formatter] } })
  expect(read(host.workspace, 'src/a.js')).toBe(text)
})

test('format_code says what it knows where nothing fits, and what is wrong with a file that does not parse', async () => {
  const host = await exampleHost()
  writeFiles(host.workspace, { 'notes.txt': 'x\n' })
  expect(await host.call('format_code', {})).toMatchObject({
    ok: false,
    code: 'FILE_NOT_FOUND',
    text: expect.stringContaining('No file in . has a formatter here'),
  })
  writeFiles(host.workspace, { 'broken.py': 'def (:\n' })
  expect(await host.call('format_code', {})).toMatchObject({
    ok: false,
    code: 'EXECUTION_ERROR',
    text: expect.stringContaining('Nothing was formatted'),
  })
})
