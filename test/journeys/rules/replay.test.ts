import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createHost } from '../../../src/index.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const check = (command: string) => JSON.stringify({ command })

test('S4.8 haft rules replay shows which calls of the log would be decided otherwise, and runs nothing', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'a.txt'), 'old\n')
  await haft(program, ['call', 'shell', check('ls')])
  await haft(program, ['call', 'write_file', '{"path":"new.txt","content":"x"}'])
  await haft(program, ['call', 'delete_file', '{"path":"a.txt"}', '--yes'])
  const same = await haft(program, ['rules', 'replay', '--json'])
  // What existed then counts, although a.txt is gone and new.txt is there.
  expect(JSON.parse(same.stdout)).toEqual({ judged: 3, changes: [], skipped: [] })

  rmSync(join(program.workspace, 'new.txt'))
  const file = join(program.workspace, 'other.toml')
  const rules = [
    '[[rules]]\nname = "locked"\ndecision = "deny"\nwrites = ["new.txt"]\n',
    '[[rules]]\nname = "trusted"\ndecision = "allow"\ndeletes = ["*.txt"]\n',
  ]
  writeFileSync(file, rules.join(''))
  const other = await haft(program, ['rules', 'replay', '--with', file, '--json'])
  expect(JSON.parse(other.stdout)).toMatchObject({
    judged: 3,
    changes: [
      { tool: 'delete_file', was: { decision: 'ask' }, now: { decision: 'allow', rule: 'trusted' }, ran: true },
      { tool: 'write_file', was: { decision: 'allow' }, now: { decision: 'deny', rule: 'locked' }, ran: true },
    ],
  })
  const shown = await haft(program, ['rules', 'replay', '--with', file])
  expect(shown.stdout).toContain('3 calls of the log judged again; nothing was run.')
  expect(shown.stdout).toContain('1 call that asked would run')
  expect(shown.stdout).toContain('1 call that ran would be denied')
  expect(shown.stdout).toMatch(/locked/)
  expect((await haft(program, ['rules', '--with', file])).code).toBe(2)
})

test('S4.8 a replay says where a mask in the log hides what would be judged, and judges what a mask does not touch', async () => {
  const program = buildProgram()
  const token = `ghp_${'a1B2'.repeat(9)}`
  await haft(program, ['call', 'shell', check(`echo ${token}`)])
  await haft(program, ['call', 'write_file', JSON.stringify({ path: 'new.txt', content: `token ${token}` })])
  const same = JSON.parse((await haft(program, ['rules', 'replay', '--json'])).stdout)
  expect(same).toMatchObject({ judged: 1, changes: [] })
  expect(same.skipped).toEqual([
    expect.objectContaining({ tool: 'shell', reason: expect.stringContaining('what it touches depends on command') }),
  ])
  expect(JSON.stringify(same)).not.toContain(token)

  const file = join(program.workspace, 'other.toml')
  const rule =
    '[[rules]]\nname = "no tokens"\ndecision = "deny"\ntools = ["write_file"]\n[rules.arguments]\ncontent = "ghp_"\n'
  writeFileSync(file, rule)
  const other = JSON.parse((await haft(program, ['rules', 'replay', '--with', file, '--json'])).stdout)
  expect(other).toMatchObject({ judged: 0, changes: [] })
  expect(other.skipped[0].reason).toBe('the rule "no tokens" looks at content, which the log holds only masked')
})

test('S4.8 --mode works on haft call, haft check and haft rules', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'a.txt'), 'old\n')
  const planned = await haft(program, ['call', 'shell', check('rm a.txt'), '--mode', 'plan', '--yes'])
  expect(planned.code).toBe(3)
  const checked = await haft(program, ['check', 'shell', check('rm a.txt'), '--mode', 'edit', '--json'])
  expect(JSON.parse(checked.stdout)).toMatchObject({ decision: 'allow', rule: 'mode edit' })
  const listed = await haft(program, ['rules', '--mode', 'edit', '--json'])
  const { mode, rules } = JSON.parse(listed.stdout)
  expect(mode).toBe('edit')
  expect(rules).toContainEqual(expect.objectContaining({ name: 'ask_change', isAnswered: true }))
  expect(rules).toContainEqual(expect.objectContaining({ name: 'everyday_commands', examples: expect.anything() }))
  expect((await haft(program, ['rules', 'test', '--mode', 'plan'])).code).toBe(0)
  expect((await haft(program, ['check', 'shell', check('ls'), '--mode', 'fast'])).code).toBe(2)
})

test('S4.8 a replay judges the arguments that a person gave, not those that were sent', async () => {
  const [workspace, folder] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(join(workspace, 'sent.txt'), 'old')
  const approver = {
    ask: async () => ({ approved: true, modifiedArgs: { path: 'edited.txt', content: 'x' } }) as const,
  }
  const host = await createHost({ workspace, home: folder, approver })
  onTestFinished(() => host.close())
  expect(await host.call('write_file', { path: 'sent.txt', content: 'x' })).toMatchObject({ ok: true })
  const file = join(folder, 'stricter.toml')
  for (const [path, changes] of [
    ['sent.txt', []],
    ['edited.txt', [{ tool: 'write_file', now: { decision: 'deny', rule: 'locked' } }]],
  ] as const) {
    writeFileSync(file, `[[rules]]\nname = "locked"\ndecision = "deny"\nwrites = ["${path}"]\n`)
    expect((await host.replay({ with: file })).changes, path).toMatchObject(changes)
  }
})
