import { expect, test } from 'vitest'
import { answer, defineTool, objectSchema, type Tool } from '../../../src/index.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost } from '../../support/example-host.ts'

const allow = { decision: 'allow' } as const

/** A tool that streams and says so in its answer. */
function streamer(output: string): Tool {
  return defineTool({
    name: 'streamer',
    description: 'Streams.',
    input: objectSchema({}),
    effect: 'none',
    execute(_, { delta }) {
      delta(output)
      return answer([{ streamed: output }, '', '[the frame]'], null)
    },
  })
}

test('a result says which of its text was streamed and which is its frame, whatever the output looks like', async () => {
  const host = await exampleHost()
  const command = 'echo "[exit code 3]"; echo bad >&2; exit 3'
  expect(await host.call('shell', { command }, allow)).toMatchObject({
    text: '[exit code 3]\n[stderr]\nbad\n[exit code 3]',
    frame: '[exit code 3]',
  })
  expect(await host.call('shell', { command: 'true' }, allow)).not.toHaveProperty('frame')
})

test('an author’s tool says it by the parts of its answer', async () => {
  const host = await exampleHost({ tools: [streamer('out')] })
  expect(await host.call('streamer')).toEqual({ ok: true, text: 'out\n[the frame]', frame: '[the frame]', data: null })
})

test('a result whose output was too much to be streamed has no frame: nobody has seen all of it', async () => {
  const host = await exampleHost({ tools: [streamer('x'.repeat(10_000_001))] })
  expect(await host.call('streamer')).not.toHaveProperty('frame')
})

test('haft call --json prints the documented members and no others', async () => {
  const program = buildProgram()
  const args = { command: 'echo out; exit 3' }
  const once = JSON.parse((await haft(program, ['call', 'shell', JSON.stringify(args), '--json'])).stdout)
  expect(Object.keys(once)).toEqual(['id', 'ok', 'text', 'data'])
  const line = JSON.stringify({ id: 1, name: 'shell', arguments: args })
  const lines = JSON.parse((await haft(program, ['call', '--stdin'], { input: line })).stdout)
  expect(Object.keys(lines)).toEqual(['id', 'ok', 'text', 'data'])
})
