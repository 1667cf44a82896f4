import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createHost } from '../../../src/index.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const tool = (name: string, effect: string, body: string) => `{
  name: '${name}', description: 'It', effect: '${effect}', approval: false,
  parameters: { type: 'object', properties: { path: { type: 'string', description: 'Which' } } },
  handler: async ({ path }, context) => { ${body} },
}`

const fileOf = (...tools: readonly string[]) => `import { connect } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { defineTool } from 'haft'
export const TOOL_SPECS = [${tools.join(',\n')}]
export const typed: unknown = defineTool({ name: 'typed', description: 'It', effect: 'none', input: z.object({ n: z.number().default(2).describe('n') }), execute: ({ n }) => n * 2 })`

/** Opens hosts on a project with a tool file; every approval request is answered yes. */
function projectWith(text: string) {
  const [home, workspace] = [temporaryFolder(), temporaryFolder()]
  const file = join(workspace, '.haft/tools/a.ts')
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  const open = async () => {
    const approver = { ask: async () => ({ approved: true }) }
    const host = await createHost({ home, workspace, storage: 'memory', approver })
    onTestFinished(() => host.close())
    return host
  }
  return { open, file, workspace, home }
}

test("a project's TypeScript tools load only after trust, ask whatever they say of themselves, and are gone when they change", async () => {
  const { open, file, workspace } = projectWith(fileOf(tool('hello', 'none', 'return "hello"')))
  const first = await open()
  expect(first.registry.get('hello')).toBeUndefined()
  expect(first.registry.snapshot().skipped).toContainEqual({
    ...{ source: join(workspace, '.haft/tools'), reason: expect.stringContaining('haft trust') },
  })
  first.trustProject()
  const host = await open()
  expect(await host.check('hello')).toMatchObject({ decision: 'ask', rule: 'origin project' })
  expect(await host.call('hello')).toMatchObject({ ok: true, text: 'hello' })
  expect(await host.call('typed')).toMatchObject({ ok: true, data: 4 })
  writeFileSync(file, `require('node:fs').writeFileSync(${JSON.stringify(join(workspace, 'mark'))}, '')`)
  await host.refreshTools()
  expect(host.registry.get('hello')).toBeUndefined()
  expect(existsSync(join(workspace, 'mark'))).toBe(false)
})

test("a project's TypeScript tool has steps only where it changes nothing", async () => {
  const stepsOf = (
    name: string,
    effect: string,
  ) => `export const ${name} = { name: '${name}', description: 'It', effect: '${effect}',
  parameters: { type: 'object' }, steps: () => pipeline().step(() => next('handed')).approval().step((value) => output(value)) }`
  const text = ["import { next, output, pipeline } from 'haft'", stepsOf('looks', 'read'), stepsOf('changes', 'write')]
  const { open, file } = projectWith(text.join('\n'))
  const first = await open()
  first.trustProject()
  const host = await open()
  const reason = expect.stringContaining('has steps and changes things')
  expect(host.registry.snapshot().skipped).toEqual([{ source: file, line: 4, reason }])
  expect(host.registry.get('changes')).toBeUndefined()
  expect(await host.call('looks')).toMatchObject({ ok: true, data: 'handed' })
})

test("a project's TypeScript tool reads the project alone, reaches no network, and changes only what is judged", async () => {
  const outside = join(temporaryFolder(), 'secret.txt')
  writeFileSync(outside, 'secret')
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const bodies = {
    read: 'return readFileSync(path, "utf8")',
    write: 'writeFileSync(path, "changed"); console.log("printed"); return { done: true }',
    reach:
      'return new Promise((resolve, reject) => connect(Number(path), "127.0.0.1").on("connect", () => resolve("in")).on("error", reject))',
    crash: 'process.exit(7)',
  }
  const tools = ['read', 'run'].flatMap((effect) =>
    Object.entries(bodies).map(([name, body]) => tool(`${name}_${effect}`, effect, body)),
  )
  const { open, workspace, home } = projectWith(fileOf(...tools))
  writeFileSync(join(workspace, 'note.txt'), 'noted')
  ;(await open()).trustProject()
  const host = await open()
  expect(host.registry.snapshot().skipped).toEqual([])
  for (const effect of ['read', 'run']) {
    expect(await host.call(`read_${effect}`, { path: 'note.txt' })).toMatchObject({ ok: true, text: 'noted' })
    for (const path of [outside, join(home, 'trust.json'), '/etc/shadow'])
      expect(await host.call(`read_${effect}`, { path })).toMatchObject({ ok: false })
    expect(await host.call(`reach_${effect}`, { path: String(port) })).toMatchObject({ ok: false })
    expect(await host.call(`crash_${effect}`)).toMatchObject({
      ok: false,
      text: expect.stringContaining('exit code 7'),
    })
  }
  expect(connections).toBe(0)
  expect(await host.call('write_read', { path: 'note.txt' })).toMatchObject({ ok: false })
  expect(readFileSync(join(workspace, 'note.txt'), 'utf8')).toBe('noted')
  expect(await host.call('write_run', { path: 'note.txt' })).toMatchObject({
    ...{ ok: true, data: { done: true }, text: expect.stringMatching(/^\{"done":true\}\n.*note\.txt/s) },
  })
  expect(readFileSync(join(workspace, 'note.txt'), 'utf8')).toBe('changed')
})

test("the built program, its packages linked into place, runs a project's TypeScript tool with zod", async () => {
  const program = buildProgram()
  const file = join(program.workspace, '.haft/tools/a.ts')
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, fileOf(tool('changes', 'run', 'return "ran"')))
  expect(await haft(program, ['trust', '--yes'])).toMatchObject({ code: 0 })
  expect(await haft(program, ['call', 'typed', '--yes'])).toMatchObject({ code: 0, stdout: '4\n' })
  expect(await haft(program, ['call', 'changes', '--yes'])).toMatchObject({ code: 0, stdout: 'ran\n' })
})
