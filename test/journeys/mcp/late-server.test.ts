import { expect, test } from 'vitest'
import { hostileServer, openMcpHome } from '../../support/mcp/open-mcp-home.ts'
import { scriptedModel } from '../../support/scripted-model.ts'

test('a selected server that connects late joins the session at its next step; one that was not selected never does', async () => {
  const { home, host } = await openMcpHome({ late: hostileServer(), other: hostileServer() })
  const joined = Promise.withResolvers<void>()
  home.on((event) => {
    if (event.type === 'tools-changed' && event.added.includes('late:echo')) joined.resolve()
  })
  const session = await host.session({ tools: [], mcpServers: ['late'] })
  expect(session.snapshot.find('late:echo')).toBeUndefined()
  const model = scriptedModel([
    async () => {
      home.mcp.wake(['other'])
      await home.mcp.settle()
      await joined.promise
      return { calls: [{ name: 'update_todos', arguments: { items: [] } }] }
    },
    { calls: [{ name: 'late:echo' }, { name: 'other:echo' }] },
    { text: 'Done.' },
  ])
  expect(await session.send('Echo', { model })).toMatchObject({ reason: 'reply', steps: 3 })
  const offered = model.requests[1]?.tools.map(({ name }) => name) ?? []
  expect(offered).toContain(session.snapshot.find('late:echo')?.wireName)
  expect(offered.filter((name) => name.startsWith('other'))).toEqual([])
  const [echoed, refused] = model.requests[2]?.messages.slice(-2) ?? []
  expect(echoed).toMatchObject({ role: 'tool', content: 'echo' })
  expect(refused).toMatchObject({ role: 'tool', code: 'UNKNOWN_TOOL' })
})
