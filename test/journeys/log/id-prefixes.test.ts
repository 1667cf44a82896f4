import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'

interface Known {
  readonly call: string
  readonly session: string
}

/** The built program after two calls of one process and one of another. */
async function programWithCalls(): Promise<{ program: BuiltProgram; calls: Known[] }> {
  const program = buildProgram()
  const line = (path: string) =>
    `${JSON.stringify({ id: path, name: 'write_file', arguments: { path, content: 'x' } })}\n`
  await haft(program, ['call', '--stdin', '--yes'], { input: line('a') + line('b') })
  await haft(program, ['call', 'write_file', '{"path":"c","content":"x"}', '--yes'])
  const { calls } = JSON.parse((await haft(program, ['log', '--json'])).stdout)
  return { program, calls }
}

/** The start of an id that only this one has. */
function startOf(id: string, others: readonly string[]): string {
  for (let length = 3; length < id.length; length++) {
    const start = id.slice(0, length)
    if (!others.some((other) => other !== id && other.startsWith(start))) return start
  }
  return id
}

test('haft log and haft undo take the start of an id that no other has', async () => {
  const { program, calls } = await programWithCalls()
  const [last] = calls
  const start = startOf(
    last?.call ?? '',
    calls.map(({ call }) => call),
  )
  expect(start.length).toBeLessThan(last?.call.length ?? 0)
  const story = JSON.parse((await haft(program, ['log', start, '--json'])).stdout)
  expect(story.call).toMatchObject({ call: last?.call })
  const session = startOf(
    last?.session ?? '',
    calls.map((known) => known.session),
  )
  for (const args of [[session], ['--session', session]]) {
    const listed = JSON.parse((await haft(program, ['log', ...args, '--json'])).stdout)
    expect(listed.calls).toMatchObject([{ call: last?.call }])
  }
  const undone = await haft(program, ['undo', start, '--yes'])
  expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining(`Undid ${last?.call}`) })
})

test('a start that several ids have lists them, and does nothing', async () => {
  const { program, calls } = await programWithCalls()
  const both = calls.slice(1).map(({ call }) => call)
  const start = both[0]?.slice(0, -1) ?? ''
  for (const command of [['log'], ['undo', '--yes']]) {
    const ended = await haft(program, [...command, start])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    for (const call of both) expect(ended.stderr).toMatch(new RegExp(`${call} .*write_file`))
  }
  const json = JSON.parse((await haft(program, ['log', start, '--json'])).stdout)
  expect(json).toMatchObject({
    ok: false,
    code: 'INVALID_ARGUMENTS',
    details: { candidates: expect.arrayContaining(both) },
  })
})

test('an unknown id suggests similar ones', async () => {
  const { program, calls } = await programWithCalls()
  const call = calls[0]?.call ?? ''
  const wrong = `${call.slice(0, 6)}${call[6] === 'f' ? 'e' : 'f'}${call.slice(7, 10)}`
  for (const given of [wrong, call.slice(2, 12)])
    for (const command of [['log'], ['undo', '--yes']]) {
      const ended = await haft(program, [...command, given])
      expect(ended.code).toBe(1)
      expect(ended.stderr).toContain(`no call or session "${given}"`)
      expect(ended.stderr).toContain(`Did you mean ${call}`)
    }
  expect((await haft(program, ['log', 'c_nothing'])).stderr).not.toContain('Did you mean')
})

test('haft tasks takes the start of a task’s id, and of no other call’s', async () => {
  const program = buildProgram()
  await haft(program, ['call', 'read_file', '{"path":"none"}'])
  await haft(program, ['call', 'shell', '{"command":"echo done","background":true}', '--yes'])
  const [task] = JSON.parse((await haft(program, ['tasks', '--json'])).stdout).tasks
  const shown = JSON.parse((await haft(program, ['tasks', task.task.slice(0, 8), '--json'])).stdout)
  expect(shown).toMatchObject({ task: task.task, outcome: 'ok' })
  expect(await haft(program, ['tasks', 'c_'])).toMatchObject({ code: 0, stdout: expect.stringContaining(task.task) })
  const unknown = await haft(program, ['tasks', task.task.slice(2, 10)])
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining(`Did you mean ${task.task}?`) })
})

test('haft approvals grants revoke takes the start of a grant’s id', async () => {
  const program = buildProgram()
  const grant = async (path: string) => {
    const args = ['call', 'write_note', JSON.stringify({ path, text: 'x' }), '--wait', '--json']
    await haft(program, args, {
      onStderr: (text) => {
        const [, approval] = /haft approvals (\S+)/.exec(text) ?? []
        if (approval) void answer(approval)
      },
    })
  }
  const answer = async (approval: string): Promise<unknown> => {
    const { code } = await haft(program, ['approvals', approval, 'yes', '--grant', 'exact'])
    return code === 0 ? undefined : answer(approval)
  }
  await grant('a')
  const [{ id }] = JSON.parse((await haft(program, ['approvals', 'grants', '--json'])).stdout).grants
  expect((await haft(program, ['approvals', 'grants', 'revoke', 'g_nothing'])).code).toBe(1)
  expect(await haft(program, ['approvals', 'grants', 'revoke', id.slice(0, 5)])).toMatchObject({
    code: 0,
    stdout: `Revoked ${id}.\n`,
  })
})
