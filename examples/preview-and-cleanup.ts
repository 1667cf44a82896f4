// A tool in steps: it checks and shows a preview, a person decides, it applies the change, and the preview is always closed.
// This file imports Haft's sources; in a program of your own write: import { createHost } from 'haft'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  answer,
  createHost,
  defineTool,
  fail,
  next,
  objectSchema,
  output,
  pipeline,
  string,
  writes,
} from '../src/index.ts'

const addChapter = defineTool({
  name: 'add_chapter',
  description: 'Add a chapter to the book.',
  input: objectSchema({ title: string('What the chapter is called') }),
  effect: 'write',
  touches: () => [writes('book.md')],
  steps: ({ title }) =>
    pipeline()
      // A step before the approval may read and show; a change here would be refused.
      .step(async (_, { files, delegate }) => {
        const { text = '' } = files.readText('book.md', 1_000_000)
        if (text.includes(`# ${title}\n`)) return fail('CONFLICT', `The book has a chapter "${title}" already.`)
        const bytes = Buffer.from(`${text}\n# ${title}\n`)
        const diff = (await files.diff('book.md', bytes)) ?? ''
        await delegate({ kind: 'show-diff', path: 'book.md', diff })
        const expects = { 'book.md': files.state('book.md', 'content') }
        return next(bytes, { expects, preview: { kind: 'diff', text: diff } })
      })
      .approval()
      .step(async function* (bytes, { files }) {
        yield 'writing the chapter\n'
        const { size } = files.write('book.md', bytes)
        return output(answer(`The book has ${size} bytes now.`, { size }))
      })
      .finally((_, { delegate }) => delegate({ kind: 'close', path: 'book.md' })),
})

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'haft-example-')))
writeFileSync(join(workspace, 'book.md'), '# Beginning\n')
const host = await createHost({ workspace, tools: [addChapter] })
host.onDelegate((effect) => {
  console.log(`  app: ${effect.kind}${'path' in effect ? ` ${effect.path}` : ''}`)
  return { done: true }
})
host.on((event) => event.type === 'call-delta' && console.log(`  delta: ${event.text.trimEnd()}`))

for (const [title, decision] of [
  ['Middle', 'deny'],
  ['Middle', 'allow'],
  ['Middle', 'allow'],
] as const) {
  console.log(`add_chapter "${title}"; the person would answer ${decision}`)
  const result = await host.call('add_chapter', { title }, { decision })
  console.log(`  ${result.ok ? 'ok' : result.code}: ${result.text}`)
}

const started = await host.call('add_chapter', { title: 'End', background: true }, { decision: 'allow' })
console.log(`in the background: ${started.ok ? 'a task id at once' : started.text}`)
await host.tasks.idle()
console.log(readFileSync(join(workspace, 'book.md'), 'utf8').trimEnd())
await host.close()
rmSync(workspace, { recursive: true })
