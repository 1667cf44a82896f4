import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHost } from '../../../src/app/create-host.ts'
import type { Host } from '../../../src/app/host.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { temporaryFolder } from '../../support/example-host.ts'
import { describeTree } from '../../support/trees.ts'

/** A host that keeps its log on disk, and its workspace. */
async function hostOnDisk(): Promise<{ host: Host; workspace: string; home: string }> {
  const workspace = temporaryFolder()
  const home = join(temporaryFolder(), 'home')
  return { host: await createHost({ workspace, home }), workspace, home }
}

const allow = { decision: 'allow' } as const

test('any sequence of file calls, undone, gives the first tree back byte for byte, modes included', {
  timeout: 120_000,
}, async () => {
  const paths = fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'link', 'new/deep/er')
  const calls = fc.oneof(
    fc.record({
      tool: fc.constant('write_file'),
      input: fc.record({ path: paths, content: fc.string({ maxLength: 20 }) }),
    }),
    fc.record({
      tool: fc.constant('edit_file'),
      input: fc.record({
        path: paths,
        edits: fc.record({ old: fc.constant('first'), new: fc.string({ maxLength: 8 }) }).map((edit) => [edit]),
      }),
    }),
    fc.record({ tool: fc.constant('delete_file'), input: fc.record({ path: paths, recursive: fc.boolean() }) }),
    fc.record({
      tool: fc.constant('move_file'),
      input: fc.record({ from: paths, to: paths, overwrite: fc.boolean() }),
    }),
  )
  const { host, workspace } = await hostOnDisk()
  let worked = 0
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 10 }), async (wanted) => {
      setUp(workspace)
      const before = describeTree(workspace)
      const session = `s${round++}`
      for (const { tool, input } of wanted) if ((await host.call(tool, input, { session, ...allow })).ok) worked++
      const after = describeTree(workspace)
      const undoable = await host.undoable(session)
      if (undoable.length === 0) return
      const undone = await host.undo(undoable, { session, ...allow })
      expect(undone.ok, undone.text).toBe(true)
      expect(describeTree(workspace)).toEqual(before)
      const [last] = (await host.log.calls({ session })).filter(({ call }) => host.replacedBy(call).length > 0)
      if (last?.tool !== 'undo') return
      const redone = await host.undo([last.call], { session, ...allow })
      expect(redone.ok, redone.text).toBe(true)
      expect(describeTree(workspace)).toEqual(after)
    }),
    { numRuns: 150 },
  )
  expect(worked).toBeGreaterThan(200)
  await host.close()
})

test('what changed since is refused by name, and nothing is undone; force sets the newer one aside', async () => {
  const { host, workspace } = await hostOnDisk()
  const session = 's'
  for (const path of ['a', 'b', 'c']) writeFileSync(join(workspace, path), `first ${path}`)
  for (const path of ['a', 'b'])
    await host.call('write_file', { path, content: `second ${path}` }, { session, ...allow })
  await host.call('delete_file', { path: 'c' }, { session, ...allow })
  writeFileSync(join(workspace, 'a'), 'newer')
  writeFileSync(join(workspace, 'c'), 'newer c')
  const refused = await host.undo(await host.undoable(session), allow)
  expect(refused).toMatchObject({
    ok: false,
    code: 'CONFLICT',
    details: {
      conflicts: [
        { path: 'c', reason: 'was created since then' },
        { path: 'a', reason: 'was changed since then' },
      ],
    },
  })
  expect(readFileSync(join(workspace, 'b'), 'utf8')).toBe('second b')
  expect(await host.undo(await host.undoable(session), { force: true, ...allow })).toMatchObject({ ok: true })
  for (const path of ['a', 'b', 'c']) expect(readFileSync(join(workspace, path), 'utf8')).toBe(`first ${path}`)
  const aside = readdirSync(workspace).filter((name) => name.includes('.newer-'))
  expect(aside.map((name) => readFileSync(join(workspace, name), 'utf8')).sort()).toEqual(['newer', 'newer c'])
  await host.close()
})

test('haft undo goes back a change at a time, across processes, shows the diff, and an undo is undone by its id', async () => {
  const program = buildProgram()
  const file = join(program.workspace, 'a.txt')
  for (const content of ['one', 'two', 'three'])
    await haft(program, ['call', 'write_file', JSON.stringify({ path: 'a.txt', content }), '--yes'])
  expect(await haft(program, ['undo'])).toMatchObject({ code: 3, stderr: expect.stringContaining('DENIED') })
  expect(await haft(program, ['undo', '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('restored a.txt'),
  })
  expect(readFileSync(file, 'utf8')).toBe('two')
  await haft(program, ['undo', '--yes'])
  expect(readFileSync(file, 'utf8')).toBe('one')
  await haft(program, ['undo', '--yes'])
  expect(existsSync(file)).toBe(false)
  expect(await haft(program, ['undo', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing to undo'),
  })

  const { calls } = JSON.parse((await haft(program, ['log', '--tool', 'undo', '--outcome', 'ok', '--json'])).stdout)
  expect(calls).toHaveLength(3)
  await haft(program, ['undo', calls[0].call, '--yes'])
  expect(readFileSync(file, 'utf8')).toBe('one')
  const asked = JSON.parse((await haft(program, ['log', '--tool', 'undo', '--outcome', 'DENIED', '--json'])).stdout)
    .calls[0]
  const { stdout } = await haft(program, ['log', asked.call])
  expect(stdout).toMatch(/-three[\s\S]*\+two/)
})

test('a call in another workspace is not undone here', async () => {
  const { host, home } = await hostOnDisk()
  await host.call('write_file', { path: 'a', content: 'x' }, { session: 's', ...allow })
  const [call = ''] = await host.undoable('s')
  await host.close()
  const other = await createHost({ workspace: temporaryFolder(), home })
  expect(await other.undoable()).toEqual([])
  expect(await other.undo([call], allow)).toMatchObject({ ok: false, code: 'INVALID_PATH' })
  await other.close()
})

function setUp(workspace: string): void {
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true })
  mkdirSync(join(workspace, 'd/e'), { recursive: true })
  for (const path of ['a', 'd/a', 'd/b', 'd/e/a']) writeFileSync(join(workspace, path), `first ${path}`)
  chmodSync(join(workspace, 'd/a'), 0o755)
  chmodSync(join(workspace, 'd/e'), 0o750)
  symlinkSync('d/a', join(workspace, 'link'))
}

test.for([
  ['write_file', { path: 'large.bin', content: '' }],
  ['delete_file', { path: 'large.bin' }],
  ['shell', { command: 'echo > large.bin' }],
] as const)('what %s replaces is kept up to max_content_mb, and no further', async ([tool, args]) => {
  const { workspace, home, host: first } = await hostOnDisk()
  const file = join(workspace, 'large.bin')
  writeFileSync(file, Buffer.alloc(34_000_000, 1))
  await first.call(tool, args, allow)
  expect(await first.undo(await first.undoable(), allow)).toMatchObject({ ok: true })
  expect(lstatSync(file).size).toBe(34_000_000)
  await first.close()
  writeFileSync(join(home, 'settings.toml'), '[log]\nmax_content_mb = 33\n')
  const second = await createHost({ workspace, home })
  await second.call(tool, args, allow)
  expect(await second.undo(await second.undoable(), allow)).toMatchObject({
    code: 'CONFLICT',
    text: expect.stringContaining('large.bin was too large to keep'),
  })
  await second.close()
})

test.for([
  ['write_file', { path: 'd/large.bin', content: '' }],
  ['delete_file', { path: 'd/large.bin' }],
  ['delete_file', { path: 'd', recursive: true }],
  ['move_file', { from: 'small.bin', to: 'd/large.bin', overwrite: true }],
] as const)(
  'the approval request for %s %j says that a file too large to keep cannot be undone',
  async ([tool, args]) => {
    const { workspace, home, host: first } = await hostOnDisk()
    await first.close()
    writeFileSync(join(home, 'settings.toml'), '[log]\nmax_content_mb = 1\n')
    mkdirSync(join(workspace, 'd'))
    writeFileSync(join(workspace, 'small.bin'), 'small')
    const host = await createHost({ workspace, home })
    const preview = async (size: number) => {
      writeFileSync(join(workspace, 'd/large.bin'), Buffer.alloc(size, 1))
      return (await host.check(tool, args)).preview?.text
    }
    expect(await preview(1_000_001)).toContain('cannot be undone: d/large.bin has 1000001 bytes')
    expect(await preview(1_000_000)).not.toContain('cannot be undone')
    await host.close()
  },
)
