import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

const SECRET = 'p@ss/wörd "9" & it\'s+77'
/** Parts that every way to write it keeps. */
const PARTS = [
  'rd "9"',
  'rd%20',
  'rd+%22',
  'it%27s',
  's+77',
  's%2B77',
  'rd\\ ',
  'rd \\"9',
  '&quot;9',
  'p%40ss',
  'rd \\\\',
]

const READ =
  'import html, json, shlex, urllib.parse as u\nS = open("secret.env").read().split("=", 1)[1].strip().strip("`")\n'

test.for([
  ['as JSON', 'print(json.dumps({"a": S}))'],
  ['as JSON without escapes of letters', 'print(json.dumps({"a": S}, ensure_ascii=False))'],
  ['as JSON inside JSON', 'print(json.dumps(json.dumps(S)))'],
  ['in a URL', 'print(u.quote(S), u.quote(S, safe=""))'],
  ['in a form', 'print(u.urlencode({"a": S}))'],
  ['in HTML', 'print(html.escape(S))'],
  ['quoted for a shell', 'print(shlex.quote(S))'],
  ['for a shell with backslashes', 'import subprocess; subprocess.run(["bash", "-c", "printf %q \\"$0\\"", S])'],
  ['as Python shows it', 'print(repr(S))'],
  ['in pieces', 'import sys\nfor c in json.dumps(S): sys.stdout.write(c); sys.stdout.flush()'],
] as const)('S0.12 log, stream and listeners never hold a secret that a program writes %s', async ([, code]) => {
  const workspace = temporaryFolder()
  writeFileSync(join(workspace, 'secret.env'), `API_TOKEN=\`${SECRET}\`\n`)
  const host = await exampleHost({ workspace })
  const heard: string[] = []
  host.on((event) => void heard.push(...stringsIn(event)))
  const result = await host.call('run_code', { language: 'python', code: READ + code })
  expect(result, result.text).toMatchObject({ ok: true, data: { exitCode: 0 } })
  const logged = stringsIn([await host.log.read(), await host.log.calls()])
  expect(logged.join('\n')).toContain('[masked ')
  for (const text of [...logged, ...heard].filter((one) => !one.includes(code.slice(0, 20))))
    for (const part of PARTS) expect(text).not.toContain(part)
})

/** Returns every text inside a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

test.for([
  '.env',
  '.env.local',
  '.env-production',
  '.env_staging',
  'docker.env',
  '.dev.vars',
  '.flaskenv',
  '.envrc.local',
])('S0.12 the secrets of %s are masked', async (name) => {
  const workspace = temporaryFolder()
  writeFileSync(join(workspace, name), 'API_TOKEN=correct-horse-77-battery\n')
  const host = await exampleHost({ workspace })
  await host.call('run_echo', { words: 'it is correct-horse-77-battery' })
  expect(JSON.stringify(await host.log.read())).not.toContain('correct-horse')
})

const LATE = 'q8zk2jd93h-late-77'
const PRINT = "print(open('new/deep/.e' + 'nv').read())"

test('a .env file that appears in a new folder is masked from the next call on', async () => {
  const workspace = temporaryFolder()
  const host = await exampleHost({ workspace })
  await host.call('run_code', { language: 'python', code: 'print(1)' })
  mkdirSync(join(workspace, 'new/deep'), { recursive: true })
  writeFileSync(join(workspace, 'new/deep/.env'), `API_KEY=${LATE}\n`)
  expect(await host.call('run_code', { language: 'python', code: PRINT })).toMatchObject({ ok: true })
  const logged = stringsIn(await host.log.read()).join('\n')
  expect(logged).toContain('[masked ')
  expect(logged).not.toContain(LATE)
})

test('a .env file that a command writes into a new folder is masked in its result and in the next call', async () => {
  const host = await exampleHost({ workspace: temporaryFolder() })
  const parts = JSON.stringify([...LATE])
  const code = `import os\nos.makedirs('new/deep')\nopen('new/deep/.e' + 'nv', 'w').write('API_KEY=' + ''.join(${parts}))\n${PRINT}`
  expect(await host.call('run_code', { language: 'python', code })).toMatchObject({ ok: true })
  expect(await host.call('run_code', { language: 'python', code: PRINT })).toMatchObject({ ok: true })
  const ends = (await host.log.read()).filter(({ type }) => type === 'call-end')
  expect(ends).toHaveLength(2)
  for (const end of ends) {
    expect(JSON.stringify(end)).toContain('[masked ')
    expect(JSON.stringify(end)).not.toContain(LATE)
  }
})
