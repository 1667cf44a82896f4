import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost, defineTool, type Host, type HostOptions, objectSchema } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/example-host.ts'

interface Furnished {
  readonly user?: string
  readonly project?: string
  readonly options?: HostOptions
}

async function withHost(given: Furnished, use: (host: Host, workspace: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  const [workspace, home] = [join(folder, 'workspace'), join(folder, 'home')]
  for (const place of [home, join(workspace, '.haft')]) mkdirSync(place, { recursive: true })
  writeFileSync(join(workspace, 'a.txt'), 'old\n')
  if (given.user !== undefined) writeFileSync(join(home, 'settings.toml'), given.user)
  if (given.project !== undefined) writeFileSync(join(workspace, '.haft/settings.toml'), given.project)
  const options = { workspace, home, storage: 'memory' as const, ...given.options }
  const first = await createHost(options)
  if (given.project !== undefined) first.trustProject()
  await first.close()
  const host = await createHost(options)
  try {
    await use(host, workspace)
  } finally {
    await host.close()
  }
}

const REMOVE = ['shell', { command: 'rm a.txt' }] as const

test('the mode of a call comes from the call, else its session, else the host, else the settings', async () => {
  await withHost({ user: 'mode = "edit"\n' }, async (host) => {
    expect(host.mode).toBe('edit')
    expect(await host.check(...REMOVE)).toMatchObject({ decision: 'allow', rule: 'mode edit' })
    expect((await host.check(...REMOVE, { mode: 'ask' })).decision).toBe('ask')
    const session = await host.session({ mode: 'plan' })
    expect((await session.check(...REMOVE)).decision).toBe('deny')
    expect((await session.check(...REMOVE, { mode: 'ask' })).decision).toBe('ask')
    const child = await host.session({ parent: session.id })
    expect((await child.check(...REMOVE)).decision).toBe('deny')
    expect(await child.events()).toMatchObject([{ type: 'session-start', mode: 'plan' }])
  })
  await withHost({ user: 'mode = "edit"\n', options: { mode: 'ask' } }, async (host) => {
    expect((await host.check(...REMOVE)).decision).toBe('ask')
  })
})

test('a project may choose only plan or ask', async () => {
  await withHost({ user: 'mode = "edit"\n', project: 'mode = "plan"\n' }, async (host) => {
    expect(host.mode).toBe('plan')
  })
  await withHost({ project: 'mode = "auto"\n' }, async (host) => {
    expect(host.mode).toBe('ask')
    expect(host.project.ignored).toEqual(['mode = "auto"'])
  })
})

test('a planning model is told that it plans, and what runs leaves nothing behind', async () => {
  await withHost({ options: { mode: 'plan' } }, async (host, workspace) => {
    const refused = await host.call('write_file', { path: 'new.txt', content: 'x' })
    expect(refused).toMatchObject({ ok: false, code: 'BLOCKED', text: expect.stringContaining('you are planning') })
    const looked = await host.call('shell', { command: 'cat a.txt' })
    expect(looked).toMatchObject({ ok: true, text: expect.stringContaining('old') })
    expect(existsSync(join(workspace, 'new.txt'))).toBe(false)
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('old\n')
  })
})

test("mode auto answers the asks of the defaults and of tool authors, never the person's own, and the log says so", async () => {
  const careful = defineTool({
    name: 'careful',
    description: 'Ask first.',
    input: objectSchema({}),
    effect: 'run',
    approval: true,
    execute: () => 'done',
  })
  const user = '[[rules]]\nname = "mine"\ndecision = "ask"\nwrites = ["kept/**"]\n'
  await withHost({ user, options: { mode: 'auto', tools: [careful] } }, async (host) => {
    expect((await host.check('careful', {})).decision).toBe('allow')
    expect((await host.check('careful', {}, { mode: 'edit' })).decision).toBe('ask')
    expect(await host.check('shell', { command: 'touch kept/a' })).toMatchObject({ decision: 'ask', rule: 'mine' })
    expect((await host.check('shell', { command: 'rm -rf ~' })).decision).toBe('deny')
    const { id, result } = host.start('delete_file', { path: 'a.txt' })
    expect(await result).toMatchObject({ ok: true })
    const events = await host.log.read({ call: id })
    expect(events.find((event) => event.type === 'call-judged')).toMatchObject({
      decision: 'allow',
      rule: 'mode auto',
      mode: 'auto',
      existence: { 'a.txt': 'file' },
    })
    expect(events.find((event) => event.type === 'call-run')).toMatchObject({ clearedBy: 'mode auto' })
  })
})

test('mode auto answers what a command says it will change; trusted files that it changes beyond that still ask', async () => {
  await withHost({ options: { mode: 'auto' } }, async (host, workspace) => {
    const said = { command: 'mkdir -p .vscode && echo {} > .vscode/tasks.json' }
    expect(await host.call('shell', said)).toMatchObject({ ok: true })
    expect(readFileSync(join(workspace, '.vscode/tasks.json'), 'utf8')).toBe('{}\n')
    const hidden = { language: 'python', code: "open('crvne.'[::-1], 'w').write('x')" }
    expect(await host.call('run_code', hidden)).toMatchObject({ code: 'DENIED', details: { rule: 'trusted files' } })
    expect(existsSync(join(workspace, '.envrc'))).toBe(false)
  })
})

test('an approval request names the mode', async () => {
  const seen: unknown[] = []
  const approver = {
    ask: async (request: { mode?: string }) => {
      seen.push(request.mode)
      return { approved: false as const }
    },
  }
  await withHost({ options: { approver } }, async (host) => {
    await host.call(...REMOVE)
    await host.call('shell', { command: 'curl x.example' }, { mode: 'edit' })
    expect(seen).toEqual(['ask', 'edit'])
  })
})

test('undo works in mode plan and against a rule on writes', async () => {
  await withHost({}, async (host, workspace) => {
    const { id, result } = host.start('delete_file', { path: 'a.txt' }, { decision: 'allow' })
    expect((await result).ok).toBe(true)
    host.addRule({ name: 'nothing changes', decision: 'deny', writes: ['**'], deletes: ['**'] })
    expect((await host.call('write_file', { path: 'b', content: '' })).ok).toBe(false)
    expect(await host.undo([id], { decision: 'allow', mode: 'plan' })).toMatchObject({ ok: true })
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('old\n')
  })
})
