// A short tour: ten real calls in a temporary folder, and the events of each. Run by `npm run tour`.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { createHost, type Event, type Result } from '../src/index.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-tour-')))
writeFileSync(join(folder, 'plan.md'), '# Plan\n\n- tea\n- biscuits\n')
writeFileSync(join(folder, '.env'), 'TOKEN=do-not-tell\n')
// If the reader of the output stops, as `head` does, the tour still ends and leaves nothing behind.
process.stdout.on('error', () => undefined)
const host = await createHost({ workspace: folder })
const print = (style: Parameters<typeof styleText>[0], text: string) => console.log(styleText(style, wrap(text)))

console.log(
  wrap(
    'Haft runs tool calls from language models safely. Each call below is a real one, with the events it leaves in the log.',
  ),
)
await step('1. Malformed arguments are repaired, and the log says how', () =>
  host.call('write_file', "```json\n{'path': 'notes.md', 'content': 'sloppy, but clear\\n',}\n```"),
)
await step('2. Arguments that were cut off are refused, never completed', () =>
  host.call('delete_file', '{"path": "plan.md", "recursive": tr'),
)
await step('3. Wrong arguments get an error that names the right ones', () =>
  host.call('write_file', { pth: 'a.md', content: 7 }),
)
await step('4. An edit needs approval; with nobody to ask it is denied', () =>
  host.call('edit_file', edit('tea', 'coffee')),
)
await step('5. A person approves with edited arguments, and these are what runs', () =>
  host.call('edit_file', edit('tea', 'coffee'), { decision: { approved: true, modifiedArgs: edit('tea', 'cocoa') } }),
)
await step('6. Everyday commands run at once, in a sandbox', () => host.call('shell', { command: 'wc -l *.md && ls' }))
await step('7. Dangerous commands are blocked, however they are wrapped', () =>
  host.call('shell', { command: "env X=1 bash -c 'ls; rm -r\\f ~'" }, { decision: 'allow' }),
)
await step('8. Text that only mentions a dangerous command is fine', () =>
  host.call('shell', { command: "echo 'never run rm -rf ~'" }),
)
await step('9. Files with secrets cannot be read', () =>
  host.call('read_file', { path: '.env' }, { decision: 'allow' }),
)
await step('10. Changes can be undone', async () => host.undo(await host.undoable(), { decision: 'allow' }))
await host.close()
rmSync(folder, { recursive: true })

console.log('\nNow try it yourself:')
const commands = ['tools', 'check shell \'{"command":"git push --force"}\'', 'doctor', '--help']
for (const command of commands) print('bold', `  npm run haft -- ${command}`)
console.log(wrap('Give a model a task with: npm run haft -- run "list the files" (without a model it uses demo).'))

function edit(old: string, replacement: string) {
  return { path: 'plan.md', edits: [{ old, new: replacement }] }
}

/** Wraps lines between words at the width of the terminal, with the indent of their start. */
function wrap(text: string): string {
  const room = process.stdout.columns || Number.POSITIVE_INFINITY
  return text
    .split('\n')
    .map((line) => {
      const indent = `${/^ */.exec(line)?.[0]}    `
      let used = 0
      return line.replace(/ *[^ ]+/g, (word) => {
        const isNext = used > 0 && used + word.length > room
        used = isNext ? indent.length + word.trimStart().length : used + word.length
        return isNext ? `\n${indent}${word.trimStart()}` : word
      })
    })
    .join('\n')
}

async function step(title: string, call: () => Promise<Result>): Promise<void> {
  print(['bold', 'cyan'], `\n${title}`)
  const from = (await host.log.read()).length
  const result = await call()
  for (const event of (await host.log.read()).slice(from)) {
    const line = describe(event)
    if (line !== undefined) print('dim', `  ${event.type.padEnd(15)} ${line}`)
  }
  const text = result.text.trimEnd().replaceAll('\n', '\n    ')
  if (result.ok) print('green', `  ✓ ${text}`)
  else print('red', `  ✗ ${text}`)
}

function describe(event: Event): string | undefined {
  if (event.type === 'call-start') return `${event.name} ${JSON.stringify(event.arguments)}`
  if (event.type === 'call-repaired') return event.repairs.join('; ')
  if (event.type === 'call-judged') return `${event.decision}, by ${event.rule}`
  if (event.type === 'approval-answer') return event.reply.approved ? 'yes' : 'no'
  return event.type === 'call-end' ? `after ${event.duration.toFixed(1)} ms` : undefined
}
