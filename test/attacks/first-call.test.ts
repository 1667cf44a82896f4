import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReadFiles } from '../../src/core/ports/files.ts'
import { defineTool, type Host, objectSchema, type Result, string, type Tool } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'

const SECRET = 'colour of the test: ultramarine'

type Look = (path: string, files: ReadFiles) => unknown

/** Every way in which a tool can learn what a file or a folder holds. */
const LOOKS: readonly (readonly [string, Look])[] = [
  ['read', (path, files) => Buffer.from(files.read(path, 1_000).bytes).toString()],
  ['readText', (path, files) => files.readText(path, 1_000).text],
  ['readLines', (path, files) => Buffer.from(files.readLines(path, { from: 1, to: 9, limit: 1_000 }).bytes).toString()],
  ['diff', (path, files) => files.diff(path, Buffer.from('other'))],
  ['state', (path, files) => files.state(path, 'content')],
]
const FOLDER_LOOKS: readonly (readonly [string, Look])[] = [
  ['list', (path, files) => JSON.stringify(files.list(path, { hidden: true, limit: 10 }))],
  ['walk', async (path, files) => JSON.stringify(await files.walk(path, { hidden: true, limit: 10 }))],
]

/** A tool of a program's own code that says nothing of what it touches, and looks while it runs or while it prepares. */
function makeSilent(look: Look, stage: 'prepare' | 'execute'): Tool {
  return defineTool({
    name: 'silent',
    description: 'Says nothing of what it touches.',
    input: objectSchema({ path: string('What to look at') }),
    effect: 'read',
    async prepare({ path }, { files }) {
      return stage === 'prepare' ? { preview: { kind: 'text', text: String(await look(path, files)) } } : {}
    },
    execute: ({ path }, { files }) => (stage === 'execute' ? look(path, files) : 'it only prepared'),
  })
}

/** A host that nobody has called yet, with a secret file, a link to it, and an ordinary file. */
async function freshHost(tool: Tool): Promise<Host> {
  const host = await exampleHost({ tools: [tool] })
  writeFileSync(join(host.workspace, '.env'), SECRET)
  symlinkSync('.env', join(host.workspace, 'settings.txt'))
  writeFileSync(join(host.workspace, 'plain.txt'), 'plain')
  return host
}

function expectBlocked(result: Result, rule: string): void {
  expect(result).toMatchObject({ ok: false, code: 'BLOCKED', details: { rule } })
  expect(result.text).toContain(`blocked by rule ${rule}: `)
}

const STAGES = ['execute', 'prepare'] as const
const PATHS = ['.env', 'settings.txt'] as const

test.for(
  STAGES.flatMap((stage) => LOOKS.flatMap(([name, look]) => PATHS.map((path) => ({ stage, name, look, path })))),
)(
  'the very first call of a host: $name of $path in $stage is refused, though its tool names no path',
  async ({ stage, look, path }) => {
    const host = await freshHost(makeSilent(look, stage))
    expectBlocked(await host.call('silent', { path }), 'no_secret_reading')
    expect(JSON.stringify(await host.log.read())).not.toContain(SECRET)
  },
)

test.for(STAGES.flatMap((stage) => LOOKS.map(([name, look]) => ({ stage, name, look }))))(
  'an ordinary file passes: $name in $stage',
  async ({ stage, look }) => {
    const host = await freshHost(makeSilent(look, stage))
    expect(await host.call('silent', { path: 'plain.txt' })).toMatchObject({ ok: true })
  },
)

test.for([
  ...LOOKS.map(([name, look]) => ({ name, look, path: 'closed/a.txt' })),
  ...FOLDER_LOOKS.map(([name, look]) => ({ name, look, path: 'closed' })),
])('a deny of the person counts on the first call too: $name of $path', async ({ look, path }) => {
  const host = await freshHost(makeSilent(look, 'execute'))
  host.addRule({ name: 'closed', decision: 'deny', paths: ['closed', 'closed/**'] })
  mkdirSync(join(host.workspace, 'closed'))
  writeFileSync(join(host.workspace, 'closed/a.txt'), SECRET)
  expectBlocked(await host.call('silent', { path }), 'closed')
})

test('the second call is decided as the first one, whatever was called between them', async () => {
  const host = await freshHost(makeSilent((path, files) => files.readText(path, 1_000).text, 'execute'))
  const first = await host.call('silent', { path: 'settings.txt' })
  await host.call('read_file', { path: 'plain.txt' })
  await host.call('shell', { command: 'true' })
  expect(await host.call('silent', { path: 'settings.txt' })).toEqual(first)
})
