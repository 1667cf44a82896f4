import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openAcceptedTools } from './accepted-tools.ts'

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'haft-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'mcp-tools.json')
}

const echo = { name: 'echo', description: 'Repeats a text.', input: {} }

test('a broken file is not taken for an empty one: that would accept whatever servers say now', () => {
  const file = makeFile()
  writeFileSync(file, '{"bad":')
  expect(() => openAcceptedTools(file)).toThrow(`${file} holds the tools of MCP servers that you have accepted`)
})

test('what another process has accepted since stays', () => {
  const file = makeFile()
  const [one, other] = [openAcceptedTools(file), openAcceptedTools(file)]
  one.accept('a', [echo])
  other.accept('b', [echo])
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['a', 'b'])
})

test('a tool that is gone is not forgotten: when it comes back it is compared with what was accepted', () => {
  const accepted = openAcceptedTools(makeFile())
  accepted.accept('a', [echo])
  accepted.noteListed('a', new Set())
  expect(accepted.of('a').get('echo')).toEqual({ ...echo, isGone: true })
  accepted.noteListed('a', new Set(['echo']))
  expect(accepted.of('a').get('echo')).toEqual(echo)
})
