import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host, HostOptions, Reply, Rule } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'

const TOKEN = 'correct-horse-77-battery'
const MASK = /\[masked [0-9a-f]{4}\]/

const ASK: Rule = { name: 'ask shell', decision: 'ask', tools: ['shell'] }
const YES: Reply = { approved: true }

/** A host whose workspace has a .env file and a program that prints it, and who says yes to everything. */
async function envHost(env: string, options: HostOptions = {}): Promise<Host> {
  const workspace = options.workspace ?? temporaryFolder()
  writeFileSync(join(workspace, '.env'), env)
  writeFileSync(join(workspace, 'show.sh'), '. ./.env; echo "the token is $API_TOKEN"\n')
  return exampleHost({ approver: { ask: async () => ({ approved: true }) }, ...options, workspace })
}

async function everythingLogged(host: Host): Promise<string> {
  return JSON.stringify([await host.log.read(), await host.log.calls()])
}

test('S0.12 a program uses the secrets of .env, its caller gets them, and log, stream and listeners see masks', async () => {
  const host = await envHost(`API_TOKEN=${TOKEN}\nNODE_ENV=production\n`)
  const heard: unknown[] = []
  host.on((event) => void heard.push(event))
  const result = await host.call('shell', { command: 'bash show.sh; echo production' })
  expect(result.text).toContain(`the token is ${TOKEN}`)
  for (const text of [await everythingLogged(host), JSON.stringify(heard)]) {
    expect(text).not.toContain(TOKEN)
    expect(text).toMatch(MASK)
    expect(text).toContain('production')
  }
  expect(heard).toContainEqual(expect.objectContaining({ type: 'call-delta', text: expect.stringMatching(MASK) }))
})

test('S0.12 a secret that is added to a .env file, also to a new one, is masked from the next call on', async () => {
  const host = await envHost('PORT=3000\n')
  const [second, third] = ['second-secret-value', 'third-secret-value']
  writeFileSync(join(host.workspace, '.env'), `API_TOKEN=${second}\n`)
  writeFileSync(join(host.workspace, '.env.local'), `DB_PASSWORD=${third}\n`)
  await host.call('run_echo', { words: `it is ${second} and ${third}` })
  expect(await everythingLogged(host)).not.toMatch(/second-secret|third-secret/)
})

test('S0.12 a secret that comes into a .env file while its call waits for an answer is masked in what the call puts out', async () => {
  const late = 'late-secret-value'
  const host = await envHost('A=1\n', { rules: [ASK] })
  const rewrite = {
    async ask() {
      writeFileSync(join(host.workspace, '.env'), `API_TOKEN=${late}\n`)
      return YES
    },
  }
  const result = await host.call('shell', { command: 'bash show.sh' }, { approver: rewrite })
  expect(result.text).toContain(late)
  expect(await everythingLogged(host)).not.toContain(late)
})

test('S0.12 the .env files of folders below count, those of packages and examples do not', async () => {
  const workspace = temporaryFolder()
  for (const folder of ['apps/web', 'node_modules/x']) mkdirSync(join(workspace, folder), { recursive: true })
  writeFileSync(join(workspace, 'apps/web/.env.production'), 'SESSION_SECRET=deep-secret-value\n')
  writeFileSync(join(workspace, 'node_modules/x/.env'), 'SESSION_SECRET=public-package-value\n')
  writeFileSync(join(workspace, '.env.example'), 'SESSION_SECRET=fill-this-in-value\n')
  const host = await envHost('A=1\n', { workspace })
  await host.call('run_echo', { words: 'deep-secret-value public-package-value fill-this-in-value' })
  const logged = await everythingLogged(host)
  expect(logged).not.toContain('deep-secret-value')
  expect(logged).toContain('public-package-value')
  expect(logged).toContain('fill-this-in-value')
})

test('S0.12 outputs that are kept in full hold no secret: read_output gives masks', async () => {
  const host = await envHost(`API_TOKEN=${TOKEN}\n`)
  const key = `ghp_${'a1B2'.repeat(9)}`
  const command = `for i in $(seq 3000); do echo "line $i"; done; bash show.sh; echo ${key}; for i in $(seq 3000); do echo x$i; done`
  const { id, result } = host.start('shell', { command })
  expect((await result).ok).toBe(true)
  const read = await host.call('read_output', { call: id, from: 2_990, to: 3_010 })
  expect(read.text).toMatch(/the token is \[masked [0-9a-f]{4}\]/)
  expect(read.text).not.toContain(key)
})

test('S0.12 arguments that hold a mask are refused, so that no mask gets into a file', async () => {
  const host = await envHost(`API_TOKEN=${TOKEN}\n`)
  await host.call('shell', { command: 'bash show.sh' })
  const [mask = ''] = MASK.exec(await everythingLogged(host)) ?? []
  writeFileSync(join(host.workspace, 'a.txt'), 'kept')
  const attempts = [
    ['write_file', { path: 'a.txt', content: `token = ${mask}` }],
    ['shell', { command: `echo '${mask}' > a.txt` }],
    ['edit_file', { path: 'a.txt', edits: [{ old: 'kept', new: mask }] }],
  ] as const
  for (const [name, args] of attempts) {
    expect(await host.call(name, args)).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      text: expect.stringContaining(mask),
    })
    expect(await host.call(name, JSON.stringify(args))).toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect(await host.check(name, args)).toMatchObject({ decision: 'invalid' })
  }
  expect(readFileSync(join(host.workspace, 'a.txt'), 'utf8')).toBe('kept')
  expect(await host.call('write_file', { path: 'b.txt', content: '[masked] [masked 12] [MASKED 3F9C]' })).toMatchObject(
    {
      ok: true,
    },
  )
})

test('the same secret has the same mask after a restart; the key is its owner’s alone', async () => {
  const home = temporaryFolder()
  const masks: (string | undefined)[] = []
  for (const round of [1, 2]) {
    const host = await envHost(`API_TOKEN=${TOKEN}\n`, { home })
    await host.call('run_echo', { words: `round ${round} ${TOKEN}` })
    masks.push(MASK.exec(JSON.stringify((await host.log.calls())[0]))?.[0])
    await host.close()
  }
  expect(masks[0]).toMatch(MASK)
  expect(masks[1]).toBe(masks[0])
  expect(statSync(join(home, 'mask.key')).mode & 0o777).toBe(0o600)
})

test('S0.12 tokens and the person’s own patterns are masked in outputs and deltas as in arguments', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.toml'), '[log]\nsecrets = ["ACME-[0-9]+"]\n')
  const host = await envHost('A=1\n', { home })
  writeFileSync(
    join(host.workspace, 'out.txt'),
    `ghp_${'a1B2'.repeat(9)} and ACME-4711 and password = "correct horse"\n`,
  )
  expect((await host.call('shell', { command: 'cat out.txt' })).text).toContain('ACME-4711')
  const logged = await everythingLogged(host)
  expect(logged).not.toMatch(/ghp_a1B2|ACME-4711/)
  expect(logged).toContain('correct horse')
})
