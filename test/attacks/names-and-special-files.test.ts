import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

/** Returns a path whose last name is not valid UTF-8. */
const broken = (path: string) => Buffer.concat([Buffer.from(path), Buffer.from([0xff, 0xfe])])

/** A workspace whose root and one folder hold names that are not valid UTF-8. */
function withBrokenNames(): string {
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, 'old'))
  writeFileSync(broken(join(workspace, 'old/x')), 'x')
  writeFileSync(broken(join(workspace, 'y')), 'y')
  mkdirSync(broken(join(workspace, 'z')))
  return workspace
}

test.for([
  ['in the foreground', false],
  ['in the background', true],
] as const)(
  'a file whose name is not valid UTF-8 does not matter to a command that leaves it alone, %s',
  async ([, background]) => {
    const workspace = withBrokenNames()
    const host = await exampleHost({ workspace, mode: 'edit' })
    const command = 'touch new old/new'
    if (background) {
      const { id, result } = host.start('shell', { command, background })
      expect(await result).toMatchObject({ ok: true })
      await host.call('get_background_task', { task_id: id, wait: 30 })
    } else expect(await host.call('shell', { command })).toMatchObject({ ok: true })
    expect(['new', 'old/new'].filter((path) => existsSync(join(workspace, path)))).toEqual(['new', 'old/new'])
  },
)

test.for([
  ['touched', 'touch old/x*'],
  ['deleted', 'rm y*'],
  ['deleted with its folder', 'rm -r old'],
  ['lost with a folder that is made again', 'rm -r old; mkdir old'],
  ['moved with its folder', 'mv old other'],
  ['created', "mkdir new; touch $(printf 'new/\\377')"],
])('a name that is not valid UTF-8 and was %s is why nothing is applied', async ([, command]) => {
  const workspace = withBrokenNames()
  const host = await exampleHost({ workspace, approver: { ask: async () => ({ approved: true }) } })
  expect(await host.call('shell', { command: `${command}; touch also` })).toMatchObject({
    ok: false,
    code: 'EXECUTION_ERROR',
    text: expect.stringContaining('whose name is not valid UTF-8'),
  })
  expect(existsSync(broken(join(workspace, 'old/x')))).toBe(true)
  expect(existsSync(join(workspace, 'also'))).toBe(false)
})

test('a fifo that a command deletes without being seen to is asked about: undo cannot restore it', async () => {
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, 'run'))
  execFileSync('mkfifo', [join(workspace, 'run/pipe')])
  const asked: unknown[] = []
  const ask = async (request: { rule?: string }) => {
    asked.push(request.rule)
    return { approved: false as const }
  }
  const host = await exampleHost({ workspace, mode: 'edit', approver: { ask } })
  const code = "import shutil; shutil.rmtree('r' + 'un')"
  expect(await host.call('run_code', { language: 'python', code })).toMatchObject({ ok: false, code: 'DENIED' })
  expect(asked).toEqual(['undo limit'])
  expect(existsSync(join(workspace, 'run/pipe'))).toBe(true)
})
