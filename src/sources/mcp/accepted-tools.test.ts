import { expect, test } from 'vitest'
import { createMemoryFile } from '../../core/mcp/kept-file.ts'
import { openAcceptedTools } from './accepted-tools.ts'

const echo = { name: 'echo', description: 'Repeats a text.', input: {} }

test('a broken file is not taken for an empty one: that would accept whatever servers say now', () => {
  const file = createMemoryFile()
  file.change(() => '{"bad":')
  expect(() => openAcceptedTools(file)).toThrow(`${file.path} holds the tools of MCP servers that you have accepted`)
})

test('what another process has accepted since stays', () => {
  const file = createMemoryFile()
  const [one, other] = [openAcceptedTools(file), openAcceptedTools(file)]
  one.accept('a', [echo])
  other.accept('b', [echo])
  expect(Object.keys(JSON.parse(file.read() ?? ''))).toEqual(['a', 'b'])
})

test('a tool that is gone is not forgotten: when it comes back it is compared with what was accepted', () => {
  const accepted = openAcceptedTools(createMemoryFile())
  accepted.accept('a', [echo])
  accepted.noteListed('a', new Set())
  expect(accepted.of('a').get('echo')).toEqual({ ...echo, isGone: true })
  accepted.noteListed('a', new Set(['echo']))
  expect(accepted.of('a').get('echo')).toEqual(echo)
})
