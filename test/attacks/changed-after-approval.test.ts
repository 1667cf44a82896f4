import { hash } from 'node:crypto'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineTool, type Host, objectSchema, string, writes } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'
import { openRequest } from '../support/open-request.ts'

interface Attack {
  readonly name: string
  readonly call: readonly [string, Record<string, unknown>]
  change(path: string): void
}

const WRITE = ['write_file', { path: 'a.txt', content: 'new' }] as const
const EDIT = ['edit_file', { path: 'a.txt', edits: [{ old: 'old', new: 'new' }] }] as const
const DELETE = ['delete_file', { path: 'a.txt' }] as const

const changed = (path: string) => writeFileSync(path, 'old, and more')
const gone = (path: string) => rmSync(path)
const linked = (path: string) => {
  rmSync(path)
  writeFileSync(join(path, '../b.txt'), 'other')
  symlinkSync('b.txt', path)
}

const ATTACKS: readonly Attack[] = [
  { name: 'overwriting a file that was changed', call: WRITE, change: changed },
  { name: 'overwriting a file that was deleted', call: WRITE, change: gone },
  { name: 'overwriting a file that became a link', call: WRITE, change: linked },
  { name: 'editing a file that was changed', call: EDIT, change: changed },
  { name: 'editing a file that was deleted', call: EDIT, change: gone },
  { name: 'deleting a file that was changed', call: DELETE, change: changed },
]

test.for(ATTACKS)(
  '$name between the preview and the yes is a CONFLICT, and nothing is written',
  async ({ call, change }) => {
    const host = await exampleHost({ wait: true })
    const path = join(host.workspace, 'a.txt')
    writeFileSync(path, 'old')
    const [name, args] = call
    const calling = host.call(name, args)
    const { request } = await openRequest(host)
    change(path)
    const before = contents(host)
    expect(await host.approvals.answer(request.approval, { approved: true })).toMatchObject({ ok: true })
    expect(await calling).toMatchObject({ ok: false, code: 'CONFLICT' })
    expect(contents(host)).toEqual(before)
    expect((await host.log.read()).some(({ type }) => type === 'call-run')).toBe(false)
  },
)

function contents({ workspace }: Host): (string | undefined)[] {
  return ['a.txt', 'b.txt'].map((file) => {
    try {
      return readFileSync(join(workspace, file), 'utf8')
    } catch {
      return undefined
    }
  })
}

test('a rule that denies by the time of the yes denies', async () => {
  const host = await exampleHost({ wait: true })
  const calling = host.call('write_note', { path: 'a.txt', text: 'hi' })
  const { request } = await openRequest(host)
  host.addRule({ name: 'closed', decision: 'deny', effects: ['write'] })
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: false, code: 'BLOCKED', details: { rule: 'closed' } })
})

test.for([
  ['is as it was', 'first', { ok: true }],
  ['has changed', 'second', { ok: false, code: 'CONFLICT' }],
] as const)('a tool that looks at a file by itself is held to what it saw: it %s', async ([, later, expected]) => {
  let ran = false
  const sly = defineTool({
    name: 'sly',
    description: 'Looks past its context.',
    input: objectSchema({ path: string('Where') }),
    effect: 'write',
    touches: ({ path }) => [writes(path)],
    prepare: ({ path }, { workspace }) => ({
      expects: { [path]: hash('sha256', readFileSync(join(workspace, path))) },
    }),
    execute: () => {
      ran = true
    },
  })
  const host = await exampleHost({ wait: true, tools: [sly] })
  writeFileSync(join(host.workspace, 'a'), 'first')
  const calling = host.call('sly', { path: 'a' })
  const { request } = await openRequest(host)
  writeFileSync(join(host.workspace, 'a'), later)
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject(expected)
  expect(ran).toBe(expected.ok)
})

test('a rule that comes to deny reading what a call saw denies it', async () => {
  const host = await exampleHost({ wait: true })
  writeFileSync(join(host.workspace, 'a.txt'), 'old')
  symlinkSync('a.txt', join(host.workspace, 'link.txt'))
  const calling = host.call('write_file', { path: 'link.txt', content: 'new' })
  const { request } = await openRequest(host)
  host.addRule({ name: 'closed', decision: 'deny', paths: ['a.txt'] })
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: false, code: 'BLOCKED', details: { rule: 'closed' } })
  expect(readFileSync(join(host.workspace, 'a.txt'), 'utf8')).toBe('old')
})

test('the caller keeps no hold on what was shown: changing its object changes nothing', async () => {
  const host = await exampleHost({ wait: true })
  const args = { path: 'a.txt', text: 'shown' }
  const calling = host.call('write_note', args)
  const { request } = await openRequest(host)
  args.text = 'swapped'
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: true })
  expect(readFileSync(join(host.workspace, 'a.txt'), 'utf8')).toBe('shown')
})
