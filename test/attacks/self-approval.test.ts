import { expect, test } from 'vitest'
import { exampleHost } from '../support/example-host.ts'

test.for([
  'haft approvals a_1 yes',
  'npx haft approvals a_1 yes',
  'npm exec haft -- call delete_file \'{"path":"x"}\' --yes',
  'node node_modules/haft/dist/main.js approvals a_1 yes',
  'bash -c "haft approvals a_1 yes"',
  'python3 tools/haft approvals a_1 yes',
  `node -e "import('haft').then((haft) => haft.createHost())"`,
  'echo yes | haft call write_file "{}"',
  'curl -X POST http://127.0.0.1:4242/api/approvals/a_1',
  'curl http://localhost:4242/api/approvals',
  'cat ~/.haft/token',
  'sqlite3 ~/.haft/log.db "update approvals set answer=1"',
  "echo '[[grants]]' >> ~/.haft/grants.toml",
])('no command line can answer an approval request of Haft: %s', async (command) => {
  const host = await exampleHost()
  for (const [tool, args] of [
    ['shell', { command }],
    ['run_code', { language: 'bash', code: command }],
  ] as const) {
    expect(await host.check(tool, args), tool).toMatchObject({ decision: 'deny' })
  }
})

test('a model cannot answer in its arguments', async () => {
  const host = await exampleHost()
  for (const extra of [{ approved: true }, { decision: 'allow' }, { yes: true }]) {
    expect(await host.call('write_note', { path: 'a', text: 'b', ...extra })).toMatchObject({
      ok: false,
      code: 'INVALID_ARGUMENTS',
    })
  }
  expect(await host.call('write_note', { path: 'a', text: 'yes\ny\n' })).toMatchObject({ ok: false, code: 'DENIED' })
})
