import { chmodSync, copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host, HostOptions } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { writeFiles } from '../../support/git.ts'

const GO = { 'go.mod': 'module x\n\ngo 1.19\n', 'sub/a.go': 'package a\n\nfunc F() int {\n\treturn 1\n}\n' }

/** A host with its own home, whose settings are this text. */
async function openHost(files: Readonly<Record<string, string>>, settings = '', options: HostOptions = {}) {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.toml'), settings)
  const host = await exampleHost({ home, ...options })
  writeFiles(host.workspace, files)
  return host
}

const edit = (host: Host, path: string, old: string, text: string) =>
  host.call('edit_file', { path, edits: [{ old, new: text }] }, { decision: 'allow' })

/** Makes a program of the project. */
function addProgram(host: Host, name: string, lines: string): void {
  const folder = join(host.workspace, 'node_modules/.bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/bash\n${lines}\n`)
  chmodSync(join(folder, name), 0o755)
}

/** Gives a program, which may be large, a second name; copies it where that is not possible. */
function shareProgram(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
    chmodSync(to, 0o755)
  }
}

test('an edit reports the problems that it brings, by line, and not those that were there before', async () => {
  const host = await openHost(GO)
  const broken = await edit(host, 'sub/a.go', 'return 1', 'return "one"')
  expect(broken).toMatchObject({
    ok: true,
    text: expect.stringMatching(/new problems in this file:\nline 4: .*cannot use/),
    data: { problems: [{ line: 4, message: expect.stringContaining('cannot use') }] },
  })
  const harmless = await edit(host, 'sub/a.go', 'package a\n', 'package a\n\n// F is one.\n')
  expect(harmless).toMatchObject({ ok: true, data: expect.not.objectContaining({ problems: expect.anything() }) })
  const more = await edit(host, 'sub/a.go', 'return "one"', 'return "one" + missing')
  expect(more).toMatchObject({ ok: true, data: { problems: [{ line: 6 }] } })
})

test("a new file is checked by the project's own linter", async () => {
  const host = await openHost({ 'biome.json': '{}' })
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('@biomejs/biome/package.json'))
  mkdirSync(join(host.workspace, 'node_modules/.bin'), { recursive: true })
  const program = join(host.workspace, 'node_modules/.bin/biome')
  shareProgram(resolve(`@biomejs/cli-linux-${process.arch}/biome`), program)
  const written = await host.call('write_file', { path: 'src/a.js', content: 'a()\ndebugger\n' })
  expect(written).toMatchObject({
    ok: true,
    data: { problems: [{ line: 2, message: expect.stringContaining('lint/suspicious/noDebugger') }] },
  })
})

test.for<[string, Readonly<Record<string, string>>, string]>([
  ['the person switched it off', GO, '[code]\nproblems = "off"\n'],
  ['the project is not trusted', { ...GO, '.haft/settings.toml': 'mode = "ask"\n' }, ''],
  ['nothing is configured', { 'sub/a.go': GO['sub/a.go'] }, ''],
])('nothing is checked where %s', async ([, files, settings]) => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.toml'), settings)
  const workspace = temporaryFolder()
  writeFiles(workspace, files)
  const host = await exampleHost({ home, workspace })
  const result = await edit(host, 'sub/a.go', 'return 1', 'return "one"')
  expect(result).toMatchObject({ ok: true, data: expect.not.objectContaining({ problems: expect.anything() }) })
})

test('a checker changes nothing, has no network, and is not run again once it was too slow', async () => {
  const host = await openHost({ 'eslint.config.js': '', 'a.js': 'a()\n' })
  const found = JSON.stringify([{ filePath: `${host.workspace}/a.js`, messages: [{ line: 1, message: 'no a' }] }])
  addProgram(host, 'eslint', `echo changed > a.js; echo x > left; echo '${found}'`)
  expect(await edit(host, 'a.js', 'a()', 'b()')).toMatchObject({ ok: true })
  expect(await host.call('read_file', { path: 'a.js' })).toMatchObject({ ok: true, data: { content: 'b()\n' } })
  expect(await host.call('list_directory', { path: '.' })).toMatchObject({ text: expect.not.stringContaining('left') })
  addProgram(host, 'eslint', 'sleep 600')
  expect(await edit(host, 'a.js', 'b()', 'c()')).toMatchObject({ ok: true })
  addProgram(host, 'eslint', `grep -q d a.js && echo '${found}'; true`)
  const again = await edit(host, 'a.js', 'c()', 'd()')
  expect(again).toMatchObject({ ok: true, data: expect.not.objectContaining({ problems: expect.anything() }) })
})
