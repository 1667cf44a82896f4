import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'

test.for([
  ['openai', '[{"type":"function","function":{"name":'],
  ['anthropic', '[{"name":'],
  ['gemini', '[{"functionDeclarations":[{"name":'],
  ['ollama', '[{"type":"function","function":{"name":'],
  ['mcp', '[{"name":'],
  ['ai-sdk', '{"'],
  ['copilot', '[{"name":'],
] as const)('S1.10 haft tools --format %s prints all definitions as one line of JSON', async ([format, start]) => {
  const { code, stdout } = await haft(buildProgram(), ['tools', '--format', format])
  expect(code).toBe(0)
  expect(stdout.startsWith(start)).toBe(true)
  expect(JSON.stringify(JSON.parse(stdout))).toContain('read_file')
})

test('S1.10 haft tools NAME --format prints one definition, and --strict the strict one', async () => {
  const program = buildProgram()
  const { stdout } = await haft(program, ['tools', 'read_file', '--format', 'openai', '--strict'])
  expect(JSON.parse(stdout)).toMatchObject({
    function: { name: 'read_file', strict: true, parameters: { required: ['path', 'encoding', 'from', 'to'] } },
  })
})

test('S1.10 --report names each loss by tool, place and keyword, in words and as JSON', async () => {
  const program = buildProgram()
  const words = await haft(program, ['tools', 'read_file', '--format', 'ollama', '--report'])
  expect(words).toMatchObject({ code: 0, stderr: '' })
  expect(words.stdout).toMatch(/^read_file\n/)
  expect(words.stdout).toMatch(/looser\s+from\s+minimum\s+written into the description/)
  const json = await haft(program, ['tools', 'read_file', '--format', 'ollama', '--report', '--json'])
  expect(JSON.parse(json.stdout).report[0].losses).toContainEqual({
    path: 'from',
    keyword: 'minimum',
    effect: 'looser',
    text: 'written into the description',
  })
  const none = await haft(program, ['tools', '--format', 'mcp', '--report'])
  expect(none.stdout).toBe('mcp can express every tool.\n')
})

test.for([
  [['--model', 'demo'], '--model needs --report'],
  [['--strict', '--format', 'gemini'], '--strict needs --format openai'],
  [['--format', 'xml'], 'Allowed choices are openai, anthropic, gemini, ollama, mcp, ai-sdk, copilot'],
] as const)('haft tools %j is a usage error that says what is wrong', async ([args, message]) => {
  const { code, stderr } = await haft(buildProgram(), ['tools', ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})
