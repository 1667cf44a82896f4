// A short tour of what works: real calls through every room, in a folder of its own. Run by `npm start`.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { createHost, type Event, type Result } from '../src/index.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-tour-')))
writeFileSync(join(folder, 'plan.md'), '# Plan\n\n- tea\n- biscuits\n')
writeFileSync(join(folder, '.env'), 'TOKEN=do-not-tell\n')
// Whoever reads along may stop, as `head` does: the tour still ends and leaves nothing behind.
process.stdout.on('error', () => undefined)
const host = await createHost({ workspace: folder })
const say = (style: Parameters<typeof styleText>[0], text: string) => console.log(styleText(style, wrap(text)))

console.log(wrap('Haft is the part between a language model and the world. Each call below is a real one.'))
await step('1. What a model really sends is repaired, and the log says how', () =>
  host.call('write_file', "```json\n{'path': 'notes.md', 'content': 'sloppy, but clear\\n',}\n```"),
)
await step('2. What was cut off is refused, never completed', () =>
  host.call('delete_file', '{"path": "plan.md", "recursive": tr'),
)
await step('3. What does not fit says what would', () => host.call('write_file', { pth: 'a.md', content: 7 }))
await step('4. An edit asks first; here is nobody to ask', () => host.call('edit_file', edit('tea', 'coffee')))
await step('5. A person says yes, with other arguments: what they typed is what runs', () =>
  host.call('edit_file', edit('tea', 'coffee'), { decision: { approved: true, modifiedArgs: edit('tea', 'cocoa') } }),
)
await step('6. Everyday commands run at once, shut in a sandbox', () =>
  host.call('shell', { command: 'wc -l *.md && ls' }),
)
await step('7. Dangerous ones never run, however they are wrapped', () =>
  host.call('shell', { command: "env X=1 bash -c 'ls; rm -r\\f ~'" }, { decision: 'allow' }),
)
await step('8. Text that only mentions one is text', () => host.call('shell', { command: "echo 'never run rm -rf ~'" }))
await step('9. Secrets stay secret', () => host.call('read_file', { path: '.env' }, { decision: 'allow' }))
await step('10. What was changed can be put back', async () => host.undo(await host.undoable(), { decision: 'allow' }))
await host.close()
rmSync(folder, { recursive: true })

console.log('\nNow try it yourself:')
const commands = ['tools', 'check shell \'{"command":"git push --force"}\'', 'doctor', '--help']
for (const command of commands) say('bold', `  npm run haft -- ${command}`)
console.log(wrap('Web and git tools, Python tools, the agent loop and the faces are not part of this version.'))

function edit(old: string, replacement: string) {
  return { path: 'plan.md', edits: [{ old, new: replacement }] }
}

/** Breaks lines between words where the terminal ends, and goes on where they began. */
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
  say(['bold', 'cyan'], `\n${title}`)
  const from = (await host.log.read()).length
  const result = await call()
  for (const event of (await host.log.read()).slice(from)) {
    const line = describe(event)
    if (line !== undefined) say('dim', `  ${event.type.padEnd(15)} ${line}`)
  }
  const text = result.text.trimEnd().replaceAll('\n', '\n    ')
  if (result.ok) say('green', `  ✓ ${text}`)
  else say('red', `  ✗ ${result.code}: ${text}`)
}

function describe(event: Event): string | undefined {
  if (event.type === 'call-start') return `${event.name} ${JSON.stringify(event.arguments)}`
  if (event.type === 'call-repaired') return event.repairs.join('; ')
  if (event.type === 'call-judged') return `${event.decision}, by ${event.rule}`
  if (event.type === 'approval-answer') return event.reply.approved ? 'yes' : 'no'
  return event.type === 'call-end' ? `after ${event.duration.toFixed(1)} ms` : undefined
}
