import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'smol-toml'
import { expect, test } from 'vitest'
import { buildProgram } from '../../support/built-program.ts'
import { hostileServer } from '../../support/mcp/open-mcp-home.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { openAiReply, type ScriptedReply } from '../../support/model-server/scripted-reply.ts'
import { type OpenedTui, openTui } from '../../support/tui.ts'

interface Scripted {
  /** More of settings.toml. */
  readonly settings?: object
  /** Built-in tools besides, by file name. */
  readonly tools?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

/** Opens the terminal UI with a model that replies by a script. */
async function openScripted(replies: readonly ScriptedReply[], { settings, tools = {}, files = {} }: Scripted = {}) {
  const server = await startModelServer({ chats: replies.map((reply) => openAiReply(reply)) })
  const model = { provider: 'openai', base_url: `${server.url}/v1`, model: 'test', context: 32_000 }
  const program = buildProgram()
  for (const [name, text] of Object.entries(tools)) writeFileSync(join(program.tools, name), text)
  const home = { 'settings.toml': stringify({ model: 'scripted', models: { scripted: model }, ...settings }) }
  return openTui({ program, home, files, args: [] })
}

const call = (name: string, given: object = {}, id = name) => ({ id, name, arguments: given })

/** Waits for the end of a run. */
const done = (tui: OpenedTui) => tui.waitFor(/All done\.[\s\S]*> +\/ commands/)

test('what an agent does stands below the session, its approval is asked here, and the bell rings', async () => {
  const tui = await openScripted(
    [
      { text: 'I will ask an agent.', calls: [call('spawn_agent', { task: 'Remove the notes' })] },
      { calls: [call('delete_file', { path: 'notes.txt' })] },
      { text: 'The notes are gone.' },
      { text: 'All done.', usage: { input: 1_500, output: 20 } },
    ],
    { files: { 'notes.txt': 'old' } },
  )
  tui.send('tidy up')
  await tui.card()
  expect(tui.hasRung()).toBe(true)
  tui.press('y')
  const screen = await done(tui)
  expect(screen).toMatch(/^ {4}✓ delete_file notes\.txt/m)
  expect(screen).toMatch(/^✓ spawn_agent Remove the notes/m)
  expect(existsSync(join(tui.program.workspace, 'notes.txt'))).toBe(false)
  // How full the model's context is, and whether the sandbox works.
  await tui.waitFor(/· 1\.5k\/32\.0k · sandbox (on|off)/)
})

test('Enter goes on with a run that reached the limit of the settings, without a message, and the list says what was cut off', async () => {
  const listing = (path: string) => ({ calls: [call('list_directory', { path }, path)] })
  const tui = await openScripted([listing('.'), listing('./'), { text: 'All done.' }], {
    settings: { run: { max_steps: 2 } },
  })
  tui.send('look around')
  await tui.waitFor(/Cut off: The run was cut off after 2 steps[\s\S]*Press Enter to go on\./)
  tui.send('/sessions')
  await tui.waitFor(/cut off ·/)
  tui.press('Enter')
  await tui.waitFor(/Press Enter to go on[\s\S]*Press Enter to go on[\s\S]*> +\/ commands/)
  tui.press('Enter')
  const screen = await done(tui)
  // Shown once for each time that the session was opened: nothing was sent again.
  expect(screen.match(/^> look around/gm)).toHaveLength(2)
})

test('long thoughts and a long output are folded; Ctrl-T and Ctrl-O show them in full', async () => {
  const reasoning = 'First I look.\nThen I think.\nNow I know.'
  const tui = await openScripted([
    { reasoning, text: 'I will count.', calls: [call('shell', { command: 'seq 1000 1100' })] },
    { text: 'All done.' },
  ])
  tui.send('count')
  const screen = await done(tui)
  expect(screen).toMatch(/Thought: Now I know\. +Ctrl-T shows all/)
  expect(screen).toMatch(/… \d+ more lines: Ctrl-O, or haft log c_/)
  expect(screen).not.toContain('1050')
  tui.press('C-t')
  await tui.waitFor(/Thought[\s\S]*First I look\.[\s\S]*Then I think\./)
  tui.press('Escape')
  await tui.waitFor(/\/ commands/)
  tui.press('C-o')
  await tui.waitFor(/shell seq 1000 1100 +rows 1-\d+ of \d+/)
  tui.press('NPage')
  await tui.waitFor(/^ {2}1050$/m)
  tui.press('Escape')
  await tui.waitFor(/\/ commands/)
})

test('a question of an MCP server names the server, and is answered field by field', async () => {
  const bad = hostileServer()
  const tui = await openScripted([{ calls: [call('bad_ask')] }, { text: 'All done.' }], { settings: { mcp: { bad } } })
  // The session starts the server, and its tools join when they are there.
  tui.send('!true')
  await tui.waitFor(/new: bad:/)
  tui.send('go')
  await tui.card()
  tui.press('y')
  await tui.waitFor(/The MCP server bad asks: Who are you\?[\s\S]*Your name[\s\S]*enter answer/)
  tui.type('Ada')
  tui.press('Enter')
  await tui.waitFor(/age[\s\S]*answer › *\n.*enter answer/)
  tui.type('36')
  tui.press('Enter')
  expect(await done(tui)).toContain('{"name":"Ada","age":36}')
})

const SHOWS_DIFF = `export default {
  name: 'show_change',
  description: 'Shows a change.',
  input: { type: 'object', properties: {} },
  effect: 'none',
  async execute(_, { delegate }) {
    const diff = '--- a.txt\\n+++ a.txt\\n@@ -1 +1 @@\\n-old words\\n+new words\\n'
    return JSON.stringify(await delegate({ kind: 'show-diff', path: 'a.txt', diff }))
  },
}
`

test('a diff that a tool wants to show is printed', async () => {
  const replies = [{ calls: [call('show_change')] }, { text: 'All done.' }]
  const tui = await openScripted(replies, { tools: { 'show-change.js': SHOWS_DIFF } })
  tui.send('show it')
  const screen = await done(tui)
  expect(screen).toMatch(/^ {4}-old words\n {4}\+new words/m)
  expect(screen).toContain('{"done":true}')
})

const WAITS = `import { existsSync } from 'node:fs'
import { join } from 'node:path'
export default {
  name: 'wait_for_go',
  description: 'Waits until there is a file "go".',
  input: { type: 'object', properties: {} },
  effect: 'none',
  async execute(_, { workspace }) {
    while (!existsSync(join(workspace, 'go'))) await new Promise((resolve) => setTimeout(resolve, 20))
    return 'It is there.'
  },
}
`

test('a message that is sent while a run goes on joins it', async () => {
  const replies = [{ calls: [call('wait_for_go')] }, { text: 'All done.' }]
  const tui = await openScripted(replies, { tools: { 'wait-for-go.js': WAITS } })
  tui.send('wait')
  await tui.waitFor(/⚙ wait_for_go[\s\S]*Esc stops/)
  tui.send('and then say hello')
  await tui.waitFor(/^> and then say hello[\s\S]*> +\/ commands/m)
  writeFileSync(join(tui.program.workspace, 'go'), '')
  expect(await done(tui)).toMatch(/✓ wait_for_go[\s\S]*> and then say hello[\s\S]*All done\./)
})
