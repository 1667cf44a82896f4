// A process that adds one to the number in a file, again and again, and says on stdout how often it worked.
import { createHost, defineTool, objectSchema, string, writes } from '../../src/index.ts'

const [workspace = '', home = '', path = '', count = '0'] = process.argv.slice(2)

/** Reads, waits a moment and writes: without a turn for each, most additions would be lost. */
const add = defineTool({
  name: 'add_one',
  description: 'Add one to the number in a file.',
  input: objectSchema({ path: string('The file') }),
  effect: 'write',
  approval: false,
  touches: ({ path }) => [writes(path)],
  async execute({ path }, { files }) {
    const before = Number(files.readText(path, 1_000).text)
    await new Promise((resolve) => setImmediate(resolve))
    files.write(path, Buffer.from(String(before + 1)))
    return before + 1
  },
})

const host = await createHost({ workspace, home, tools: [add] })
let worked = 0
for (let i = 0; i < Number(count); i++) {
  const result = await host.call('add_one', { path }, { decision: 'allow' })
  if (result.ok) worked++
  else if (result.code !== 'CONFLICT') throw new Error(`${result.code} ${result.text}`)
}
await host.close()
process.stdout.write(`${worked}\n`)
