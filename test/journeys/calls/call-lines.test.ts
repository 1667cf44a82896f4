import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'

/** Runs `haft` with these lines and returns its answers, one JSON value each, in order. */
async function answersTo(args: readonly string[], lines: readonly string[]): Promise<unknown[]> {
  const { stdout, stderr, code } = await haft(buildProgram(), args, { input: lines.join('\n') })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('a line ends at a newline alone: other breaks that JSON may hold stay in it', async () => {
  const note = (id: number, text: string) => `{"id":${id},"name":"task_complete","arguments":{"summary":"${text}"}}`
  expect(await answersTo(['call', '--stdin'], [`${note(1, 'a\u2028b')}\r`, '', note(2, 'c\u2029\u0085d')])).toEqual([
    expect.objectContaining({ id: 1, ok: true, text: 'a\u2028b' }),
    expect.objectContaining({ id: 2, ok: true, text: 'c\u2029\u0085d' }),
  ])
})

test.for(['call', 'check'])('%s --stdin answers in the order of the lines, failures too', async (command) => {
  const names = Array.from({ length: 1_000 }, (_, id) => (id % 10 === 9 ? 'none.md' : 'plan.md'))
  const lines = names.map((path, id) => JSON.stringify({ id, name: 'read_file', arguments: { path } }))
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'plan.md'), '# Plan\n')
  const { stdout } = await haft(program, [command, '--stdin'], { input: lines.join('\n') })
  const ids = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  expect(ids).toEqual(names.map((_, id) => id))
})

const LOST: [string, string, string][] = [
  ['an argument twice', '{"id":1,"name":"add_numbers","arguments":{"a":1,"b":2,"a":3}}', 'the key "a" is given twice'],
  ['two tools', '{"id":1,"name":"task_complete","name":"add_numbers"}', 'the key "name" is given twice'],
  ['too many digits', '{"id":1,"name":"add_numbers","arguments":{"a":12345678901234567890}}', 'too many digits'],
]

test.for(
  LOST.flatMap(([what, line, text]) => ['call', 'check'].map((command) => [command, what, line, text] as const)),
)('%s --stdin refuses a line with %s: another call would be made than was sent', async ([command, , line, text]) => {
  expect(await answersTo([command, '--stdin'], [line])).toEqual([
    { id: 1, ok: false, code: 'INVALID_ARGUMENTS', text: expect.stringContaining(text) },
  ])
})

test('an id that is neither text nor a number is refused, and the lines after it are answered', async () => {
  const deep = `{"id":${'['.repeat(100_000)}${']'.repeat(100_000)},"name":"task_complete"}`
  const [first, second] = await answersTo(
    ['call', '--stdin'],
    [deep, '{"id":"b","name":"add_numbers","arguments":{"a":1,"b":2}}'],
  )
  expect(first).toMatchObject({ id: null, ok: false, text: expect.stringContaining('the id must be text or a number') })
  expect(second).toMatchObject({ id: 'b', ok: true })
})

test.for([
  ['value', { id: 7, ok: true, value: { sum: 3 } }],
  ['copilot', { id: 7, resultType: 'success', textResultForLlm: '{"sum":3}' }],
  ['tool-result', { id: 7, tool_call_id: '7', output: '{"sum":3}', success: true }],
] as const)('call --stdin --as %s answers in that form', async ([form, expected]) => {
  const line = '{"id":7,"name":"add_numbers","arguments":{"a":1,"b":2}}'
  expect(await answersTo(['call', '--stdin', '--as', form], [line])).toEqual([expected])
})

test.for(['call', 'check'])('%s --stdin with a tool name is reported as a mistake', async (command) => {
  const ended = await haft(buildProgram(), [command, 'add_numbers', '--stdin'])
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--stdin takes no tool') })
})

test('arguments that are not JSON at all are refused with the unexpected character', async () => {
  const ended = await haft(buildProgram(), ['call', 'add_numbers', 'hello'])
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('"h" is not expected where it stands') })
})

test('who gives arguments in another form than JSON reads how they are given', async () => {
  const program = buildProgram()
  const how = '@FILE reads them from a file, - from standard input.'
  for (const command of ['call', 'check'])
    for (const given of [[], ['path=plan.md'], ['plan.md'], ['--path', 'plan.md'], ['plan.md', 'more']]) {
      const { code, stderr } = await haft(program, [command, 'read_file', ...given])
      expect({ code, stderr }).toEqual({
        code: given.join().includes(',') ? 2 : 1,
        stderr: expect.stringContaining(how),
      })
    }
  for (const given of [['{}'], ['{"pth":"plan.md"}'], ['-'], ['--json']])
    expect((await haft(program, ['call', 'read_file', ...given])).stderr).not.toContain(how)
})

test('@FILE reads the arguments from a file', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'sum.json'), '{"a":1,"b":2}')
  expect(await haft(program, ['call', 'add_numbers', '@sum.json'])).toMatchObject({ code: 0, stdout: '{"sum":3}\n' })
  expect(await haft(program, ['check', 'add_numbers', '@sum.json'])).toMatchObject({ code: 0 })
  const { code, stderr } = await haft(program, ['call', 'add_numbers', '@none.json'])
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The arguments were not read from none.json: '),
  })
})

test('doctor says that a HAFT_HOME which is a file is not a folder, and does not suggest changing its permissions', async () => {
  const program = buildProgram()
  writeFileSync(program.home, 'a file')
  const ended = await haft(program, ['doctor'])
  expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining(`${program.home} is not a folder`) })
  expect(ended.stdout).not.toContain('chmod')
})
