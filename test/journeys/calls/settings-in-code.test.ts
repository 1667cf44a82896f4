import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createHost, defineTool, type HostOptions, openHome } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function hostWith(options: HostOptions) {
  const host = await createHost({ workspace: temporaryFolder(), ...options })
  onTestFinished(() => host.close())
  return host
}

test('a program gives settings with the keys of settings.toml, rules and filters among them', async () => {
  const settings = {
    mode: 'edit',
    web: { allow: ['docs.example.com'] },
    rules: [{ name: 'no_env', decision: 'deny', reads: ['*.env'], reason: 'keys' }],
    tools: { shell: { deny: ['^curl'] } },
  }
  const host = await hostWith({ settings })
  expect(host.mode).toBe('edit')
  expect(await host.check('web_fetch', { url: 'https://docs.example.com/' })).toMatchObject({ decision: 'allow' })
  expect(await host.check('read_file', { path: 'a.env' })).toMatchObject({ decision: 'deny', rule: 'no_env' })
  expect(await host.check('shell', { command: 'curl x' })).toMatchObject({ decision: 'deny' })
})

test('with a home, the settings of the program count above its file, key by key', async () => {
  const home = temporaryFolder()
  writeFileSync(
    join(home, 'settings.toml'),
    'mode = "plan"\n[approvals]\nexpire_minutes = 7\n[web]\nallow = ["a.example"]\n',
  )
  const opened = await openHome({ home, storage: 'memory', settings: { mode: 'edit', web: { search: 'brave' } } })
  onTestFinished(() => opened.close())
  expect(Object.fromEntries((await opened.settingOrigins()).map(({ key, value }) => [key, value]))).toMatchObject({
    mode: 'edit',
    'approvals.expire_minutes': '7',
    'web.allow': 'a.example',
    'web.search': 'brave',
  })
})

const WRONG: readonly (readonly [object, string])[] = [
  [{ settings: { web: { alow: [] } } }, 'the settings of the program: web.alow: unknown key. Did you mean allow?'],
  [{ settings: { log: { keep_days: -1 } } }, 'log.keep_days: expected a number above 0'],
  [
    { settings: { rules: [{ name: 'r', decision: 'deny', commands: ['('] }] } },
    'the settings of the program: rules[0].commands',
  ],
  [{ settings: { tools_dirs: ['x'] } }, 'tools_dirs and python need the option home'],
  [{ settigns: {} }, 'unknown option "settigns"; did you mean settings?'],
  [{ workspce: '.' }, 'unknown option "workspce"; did you mean workspace?'],
]

test.for(WRONG)(
  'settings that are wrong, and options that do not exist, are refused with their name: %o',
  async ([options, words]) => {
    await expect(createHost(options as HostOptions)).rejects.toThrow(words)
  },
)

test('the time limit of a tool in code may be a number of seconds', async () => {
  const wait = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  const input = { type: 'object' } as const
  const slow = defineTool({
    name: 'slow',
    description: 'Never ends.',
    input,
    effect: 'none',
    timeout: 0.05,
    execute: wait,
  })
  expect(await (await hostWith({ tools: [slow] })).call('slow')).toMatchObject({
    code: 'TIMEOUT',
    details: { seconds: 0.05 },
  })
})
