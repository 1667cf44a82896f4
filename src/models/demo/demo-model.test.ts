import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ask, drive } from '../../../test/support/drive-model.ts'
import type { ModelMessage, ToolDefinition } from '../../core/ports/model.ts'
import { array, objectSchema, oneOf, string } from '../../core/tool/schema.ts'
import { COMMANDS } from './commands.ts'
import { createDemoModel } from './demo-model.ts'

const model = createDemoModel({ pause: 0 })
const tool = (name: string, parameters = objectSchema({})): ToolDefinition => ({ name, description: name, parameters })
const TODO = objectSchema({ text: string('What'), state: oneOf(['open', 'active', 'done'], 'How far') })
const TOOLS: readonly ToolDefinition[] = [
  ...['list_directory', 'read_file', 'write_file', 'edit_file', 'move_file', 'delete_file'].map((name) => tool(name)),
  ...['search_text', 'find_files', 'shell', 'run_code', 'open_file'].map((name) => tool(name)),
  tool('web_fetch', objectSchema({ url: string('Where') })),
  tool('web_search', objectSchema({ query: string('What for') })),
  tool('ask_user', objectSchema({ question: string('What') })),
  tool('update_todos', objectSchema({ items: array(TODO, 'All of them') })),
]
const WITH_END = [...TOOLS, tool('task_complete', objectSchema({ summary: string('What was done') }))]
const say = (content: string): ModelMessage[] => [{ role: 'user', content }]

const rows = [
  ...readFileSync(join(import.meta.dirname, '../../../docs/demo.md'), 'utf8').matchAll(
    /^\| `(.+)` \| `(\w+) (\{.*\})` \|$/gm,
  ),
].map(([, command = '', name = '', json = '']) => [command, name, json] as const)

test.for(rows)('docs/demo.md: %s makes the call %s %s', async ([command, name, json]) => {
  const { calls, finish } = await ask(model, say(command), TOOLS)
  expect(calls).toEqual([{ id: 'demo-1', name, arguments: JSON.parse(json) }])
  expect(finish).toBe('calls')
})

test('docs/demo.md shows every command', () => {
  expect(rows.length).toBeGreaterThan(25)
  const shown = rows.map(([command]) => command.toLowerCase()).join('\n')
  for (const { verbs } of COMMANDS)
    expect(
      verbs.some((verb) => shown.includes(`${verb} `)),
      verbs[0],
    ).toBe(true)
})

test('every example in the help makes a call', async () => {
  for (const { example } of COMMANDS) expect((await ask(model, say(example), TOOLS)).calls, example).toHaveLength(1)
})

test('a chain is done one call at a time, each result is reported on, and the run ends with a summary', async () => {
  const message = 'write hello.txt with "Hello", then read hello.txt and then run date'
  const results = ['Wrote 5 bytes to hello.txt', 'Hello', 'Mon 1 Jan', '']
  const { replies } = await drive(model, { message, tools: WITH_END }, () => results.shift() ?? '')
  expect(replies.map(({ text }) => text)).toEqual([
    'I will write `hello.txt`.',
    '`hello.txt` is written; `haft undo` can take that back. I will read `hello.txt`.',
    'Here is 1 line of `hello.txt`:\n\n```\nHello\n```\n\nI will run `date`.',
    'It printed “Mon 1 Jan”.',
  ])
  expect(replies.at(-1)?.calls).toEqual([
    {
      id: 'demo-4',
      name: 'task_complete',
      arguments: { summary: 'Wrote `hello.txt`, then read `hello.txt`, then ran `date`.' },
    },
  ])
})

test('a text that is shown keeps its backticks, and only its beginning is shown', async () => {
  const text = `\`\`\`sh\nls\n\`\`\`\n${'line\n'.repeat(30)}`
  const { replies } = await drive(model, { message: 'read a.md', tools: WITH_END }, () => text)
  const shown = replies.at(-1)?.text ?? ''
  expect(shown).toMatch(/^Here are 33 lines of `a\.md`:\n\n````\n```sh\nls\n```\nline\n/)
  expect(shown).toMatch(/\nline\n````\n\nand 13 more lines\.$/)
})

test('without task_complete it ends with its report', async () => {
  const { replies } = await drive(model, { message: 'list', tools: TOOLS }, () => 'a.txt (5 B)\nsrc/')
  expect(replies.at(-1)).toMatchObject({
    text: 'I see 2 names in this folder: `a.txt` and `src/`.',
    calls: [],
    finish: 'stop',
  })
})

test.for([
  ['DENIED', 'DENIED: Denied by user: not now', 'I was not allowed to delete `a`: Denied by user: not now.'],
  ['BLOCKED', 'Blocked by rule x', 'A rule stops me from doing that: Blocked by rule x.'],
  ['FILE_NOT_FOUND', 'FILE_NOT_FOUND: a does not exist.', 'That did not work: a does not exist.'],
] as const)('after %s the rest of the chain is left out', async ([code, content, text]) => {
  const { replies } = await drive(model, { message: 'delete a then delete b then list', tools: WITH_END }, () => ({
    content,
    code,
  }))
  expect(replies).toHaveLength(2)
  expect(replies[1]).toMatchObject({ text: `${text} I leave out the 2 commands that were to follow.`, calls: [] })
})

test('a text that begins like a failure is one only where the result has a code', async () => {
  const { replies } = await drive(model, { message: 'read a', tools: TOOLS }, () => 'DENIED: the title of a poem')
  expect(replies.at(-1)?.text).toBe('Here is 1 line of `a`:\n\n```\nDENIED: the title of a poem\n```')
})

test('a resumed session goes on from its messages alone, and a new message begins anew', async () => {
  const first = await drive(model, { message: 'read a then read b', tools: WITH_END }, () => 'text')
  const half = first.messages.slice(0, 3)
  const again = await ask(createDemoModel({ pause: 0 }), half, WITH_END)
  expect(again).toEqual(first.replies[1])
  const next = await drive(model, { message: 'read c', tools: WITH_END, before: first.messages }, () => 'text')
  expect(next.replies[0]?.calls).toEqual([{ id: 'demo-4', name: 'read_file', arguments: { path: 'c' } }])
})

test('a word in quotes, or one that no command follows, does not split a chain', async () => {
  const quoted = await ask(model, say('write a.txt with "first then read b"'), TOOLS)
  expect(quoted.calls[0]?.arguments).toEqual({ path: 'a.txt', content: 'first then read b' })
  const script = await ask(model, say('run if true; then echo yes; fi'), TOOLS)
  expect(script.calls[0]?.arguments).toEqual({ command: 'if true; then echo yes; fi' })
})

test.for([
  ['hello', /^Hello! I am `demo`: no language model/],
  ['', /^Hello! I am `demo`/],
  ['who are you?', /no language model/],
  ['help', /- `read README\.md lines 1 to 20` reads a file/],
  ['undo that', /^Only you can undo: .*`haft undo`/],
  [Array(21).fill('list').join(' then '), /^That message is longer than I can read, so I did nothing/],
  ['lst src', /did nothing\. Did you mean `list \[FOLDER\] \[recursively\]`\?/],
  ['read', /That command is written `read FILE \[lines A to B\]`\./],
  ['write a.txt with "x" then read', /did not understand “read”, so I did nothing/],
  ['tell me a story about sailing', /no language model.*Examples: `list src recursively`/],
] as const)('it teaches: %s', async ([message, expected]) => {
  const { text, calls, finish } = await ask(model, say(message), WITH_END)
  expect(text.replaceAll('\n', ' ')).toMatch(expected)
  expect({ calls, finish }).toEqual({ calls: [], finish: 'stop' })
})

test('it calls only tools that are offered, and names the one that is missing before anything is done', async () => {
  const { text, calls } = await ask(model, say('read a then fetch example.com'), [tool('read_file')])
  expect(calls).toEqual([])
  expect(text).toBe(
    'To fetch https://example.com I need the tool `web_fetch`, which is not offered here, so I did nothing. Offered are `read_file`.',
  )
  expect((await ask(model, say('list'), [])).text).toContain('This session offers no tools.')
})

test('it writes word by word, and a cancel ends it', async () => {
  const cancel = new AbortController()
  const words: string[] = []
  const reading = async () => {
    for await (const part of createDemoModel().stream({ messages: say('list'), tools: TOOLS, signal: cancel.signal })) {
      if (part.type === 'text') words.push(part.text)
      if (words.length === 2) cancel.abort()
    }
  }
  await expect(reading()).rejects.toThrow('aborted')
  expect(words).toEqual(['I', ' will'])
})

const verb = fc.constantFrom(...COMMANDS.flatMap(({ verbs }) => verbs), 'then', 'with', 'in', 'to', 'replace', 'please')
const piece = fc.oneof(verb, fc.string(), fc.constantFrom('"', "'", '`', '\n', 'a.txt', '"b c"', '.', '..', '*'))
const example = fc.constantFrom(...COMMANDS.map((command) => command.example))
const message = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(' ')),
  fc.array(example, { maxLength: 30 }).map((examples) => examples.join(' then ')),
)

test('it never throws and always ends, whatever the message is and whatever its calls return', async () => {
  let callCount = 0
  await fc.assert(
    fc.asyncProperty(
      message,
      fc.array(fc.string(), { maxLength: 5 }),
      fc.oneof(fc.constant(WITH_END), fc.subarray([...WITH_END])),
      async (text, results, tools) => {
        const { replies } = await drive(model, { message: text, tools, turns: 21 }, (name) => {
          callCount++
          expect(tools.map((one) => one.name)).toContain(name)
          return results[callCount % (results.length + 1)] ?? ''
        })
        for (const { text, calls } of replies) expect(text !== '' || calls.length > 0).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
  expect(callCount).toBeGreaterThan(500)
})

test.for(['then ', 'read "', "'", 'a then list ', 'replace a with ', '\n', ' ', ', please'])(
  'a message of %j over and over is read, and one that is too long is refused',
  async (part) => {
    await ask(model, say(`edit ${part.repeat(20_000 / part.length - 5)}`), TOOLS)
    const { text, calls } = await ask(model, say(`read ${part.repeat(500_000)}`), TOOLS)
    expect({ text: text.slice(0, 43), calls }).toEqual({
      text: 'That message is longer than I can read, so ',
      calls: [],
    })
  },
)
