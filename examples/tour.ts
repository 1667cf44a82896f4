// A short tour of what works: real calls through every room, with the events they leave. Run by `npm start`.
import { styleText } from 'node:util'
import { createHost, defineTool, objectSchema, oneOf, type Result, string, writes } from '../src/index.ts'

const notes = new Map<string, string>()
const writeNote = defineTool({
  name: 'write_note',
  description: 'Keep a note for this tour.',
  input: objectSchema({
    path: string('Which note'),
    text: string('What it says'),
    mood: oneOf(['calm', 'loud'], 'How it is said'),
  }),
  effect: 'write',
  touches: ({ path }) => [writes(path)],
  prepare: ({ text }) => ({ preview: { kind: 'diff', text: `+${text}` } }),
  execute({ path, text, mood }) {
    notes.set(path, mood === 'loud' ? text.toUpperCase() : text)
    return `kept ${path}`
  },
})
const host = await createHost({ tools: [writeNote] })
const say = (style: Parameters<typeof styleText>[0], text: string) => console.log(styleText(style, text))

async function step(title: string, call: () => Promise<Result>): Promise<void> {
  say(['bold', 'cyan'], `\n${title}`)
  const from = host.events().length
  const result = await call()
  for (const event of host.events().slice(from)) {
    if (event.type === 'call-start') say('dim', `  call-start      ${event.name} ${JSON.stringify(event.arguments)}`)
    if (event.type === 'call-repaired') say('yellow', `  call-repaired   ${event.repairs.join('; ')}`)
    if (event.type === 'call-judged') say('dim', `  call-judged     ${event.decision}, by ${event.rule}`)
    if (event.type === 'approval-answer') say('dim', `  approval-answer ${event.reply.approved ? 'yes' : 'no'}`)
    if (event.type === 'call-end') say('dim', `  call-end        after ${event.duration.toFixed(1)} ms`)
  }
  if (result.ok) say('green', `  ✓ ${result.text}`)
  else say('red', `  ✗ ${result.code}: ${result.text.replaceAll('\n', '\n    ')}`)
}

console.log('Haft is the part between a language model and the world. Each call below is a real one.')
await step('1. A harmless call runs at once', () => host.call('task_complete', { summary: 'the tour has begun' }))
await step('2. What a model really sends is repaired, and the log says how', () =>
  host.call('task_complete', "```json\n{'summary': 'sloppy, but clear',}\n```"),
)
await step('3. What was cut off is refused, never completed', () =>
  host.call('task_complete', '{"summary": "delete everything exc'),
)
await step('4. What does not fit says what would', () =>
  host.call('write_note', { path: 'a.md', txt: 'hi', mood: 'angry' }),
)
await step('5. A call that changes something asks; here is nobody to ask', () =>
  host.call('write_note', { path: 'a.md', text: 'hi', mood: 'calm' }),
)
await step('6. A person says yes, with other arguments: what they typed is what runs', () =>
  host.call(
    'write_note',
    { path: 'a.md', text: 'hi', mood: 'calm' },
    { decision: { approved: true, modifiedArgs: { path: 'a.md', text: 'hello', mood: 'loud' } } },
  ),
)
host.addRule({ name: 'no keys', decision: 'deny', paths: ['**/*.key'], reason: 'keys are private' })
await step('7. A deny wins over every yes', () =>
  host.call('write_note', { path: 'my.key', text: 'secret', mood: 'calm' }, { decision: 'allow' }),
)
await step('8. A path that leaves the workspace gets nowhere', () =>
  host.call('write_note', { path: '../neighbour.txt', text: 'hi', mood: 'calm' }, { decision: 'allow' }),
)
await host.close()

console.log('\nNow try it yourself:')
for (const command of [
  'npm run haft -- tools',
  `npm run haft -- call task_complete '{"summary":"done"}'`,
  'npm run haft -- --help',
])
  say('bold', `  ${command}`)
console.log(
  'File, shell, web and git tools, the sandbox, the durable log, the agent loop and the faces are not part of this version yet.',
)
