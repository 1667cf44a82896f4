import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineTool, objectSchema } from '../../../src/index.ts'
import { openMcpHome } from '../../support/mcp/open-mcp-home.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { openTestModel } from '../../support/model-server/open-test-model.ts'
import { openAiReply } from '../../support/model-server/scripted-reply.ts'

const RICH = join(import.meta.dirname, '../../support/mcp/rich-server.ts')
const ERAS = [
  ['modern', '2026-07-28'],
  ['legacy', /^202[45]-/],
] as const

const rich = (era: string) => ({ rich: { command: process.execPath, args: [RICH, era] } })

test.each(ERAS)('audio, resources and structured content are carried to data and text (%s)', async (era, protocol) => {
  const { home, host } = await openMcpHome(rich(era))
  expect(await home.mcp.test('rich')).toMatchObject({ protocol: expect.stringMatching(protocol) })
  await host.refreshTools()
  expect(await host.call('rich:sound', {})).toMatchObject({
    ok: true,
    text: '[audio: audio/wav, 10 bytes]',
    data: { audio: [{ name: 'audio-1', mediaType: 'audio/wav', encoding: 'base64', content: 'UklGRiBzb3VuZA==' }] },
  })
  expect(await host.call('rich:files', {})).toMatchObject({
    ok: true,
    text: [
      '[resource file:///a.txt]\nin the file',
      '[resource file:///a.bin: application/zip, 10 bytes]',
      '[resource file:///b.txt: b.txt, the other]',
    ].join('\n'),
    data: {
      resources: [
        { uri: 'file:///a.txt', mediaType: 'text/plain', text: 'in the file' },
        { uri: 'file:///a.bin', mediaType: 'application/zip', blob: 'UklGRiBzb3VuZA==' },
        { uri: 'file:///b.txt', name: 'b.txt', mediaType: 'text/plain' },
      ],
    },
  })
  const weather = await host.call('rich:weather', {})
  expect(weather).toMatchObject({ ok: true, data: { structuredContent: { degrees: 21 } } })
  expect(weather.text).toContain('"degrees": 21')
  expect(await host.call('rich:failing', {})).toMatchObject({ code: 'EXECUTION_ERROR', text: 'the disk is full' })
  expect(await host.call('rich:empty', {})).toMatchObject({ ok: true, text: 'Done; the server returned nothing.' })
})

test.each(ERAS)('a server that adds and removes tools makes a new snapshot each time (%s)', async (era) => {
  const { host } = await openMcpHome(rich(era))
  await host.refreshTools()
  const session = await host.session()
  const before = host.registry.snapshot()
  expect(before.find('rich:extra')).toBeUndefined()
  expect(await session.call('rich:grow', {})).toMatchObject({ text: 'grown' })
  await expect.poll(() => session.snapshot.find('rich:extra')?.tool.name).toBe('rich:extra')
  expect(await session.call('rich:extra', {})).toMatchObject({ ok: true, text: 'extra' })
  expect(before.find('rich:extra')).toBeUndefined()
  expect(await session.call('rich:shrink', {})).toMatchObject({ text: 'shrunk' })
  await expect.poll(() => session.snapshot.find('rich:extra')).toBeUndefined()
  expect(await session.call('rich:extra', {})).toMatchObject({ ok: false, code: 'UNKNOWN_TOOL' })
  const changes = (await session.events()).filter(({ type }) => type === 'tools-changed')
  expect(changes).toMatchObject([{ added: ['rich:extra'] }, { removed: ['rich:extra'] }])
})

test('a server that was never started joins a session at its next step; person and model are told', async () => {
  const server = await startModelServer({
    chats: [
      openAiReply({ calls: [{ name: 'wait_for_tools', arguments: {} }] }),
      openAiReply({ calls: [{ name: 'rich_empty', arguments: {} }] }),
      openAiReply({ text: 'Done.' }),
    ],
  })
  let isThere = () => false
  const wait = defineTool({
    name: 'wait_for_tools',
    description: 'Waits until the server is there.',
    input: objectSchema({}),
    effect: 'none',
    execute: async () => {
      await expect.poll(() => isThere()).toBe(true)
      return 'there'
    },
  })
  const { host } = await openMcpHome(rich('legacy'), { tools: [wait] })
  const session = await host.session()
  isThere = () => session.snapshot.find('rich:empty') !== undefined
  // Nothing waited for the server: the session is there before its tools are.
  expect(isThere()).toBe(false)
  const run = session.send('Go', { model: openTestModel('openai', server.url) })
  expect(await run).toMatchObject({ reason: 'reply', summary: 'Done.' })
  const bodies = server
    .chats()
    .map(({ body }) => body as { tools: { function: { name: string } }[]; messages: unknown })
  const offered = bodies.map(({ tools }) => tools.some((tool) => tool.function.name === 'rich_empty'))
  expect(offered[1]).toBe(true)
  expect(JSON.stringify(bodies[1]?.messages)).toContain('[Your tools have changed. New: rich:sound')
  const events = await session.events()
  expect(events).toContainEqual(expect.objectContaining({ type: 'tools-changed' }))
  expect(events).toContainEqual(expect.objectContaining({ type: 'call-start', name: 'rich:empty' }))
})

test('a session that selected another server is left alone', async () => {
  const { host } = await openMcpHome(rich('legacy'))
  const session = await host.session({ mcpServers: [] })
  await host.refreshTools()
  expect(session.snapshot.find('rich:empty')).toBeUndefined()
  expect(await session.events()).not.toContainEqual(expect.objectContaining({ type: 'tools-changed' }))
})
