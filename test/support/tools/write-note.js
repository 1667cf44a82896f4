import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Effect write, with a preview. */
export default {
  name: 'write_note',
  description: 'Write a note into the workspace.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Which note' },
      text: { type: 'string', description: 'What it says' },
    },
    required: ['path', 'text'],
  },
  effect: 'write',
  main: 'path',
  touches: ({ path }) => [{ kind: 'writes', path }],
  prepare: ({ text }) => ({ preview: { kind: 'diff', text: `+${text}` } }),
  execute({ path, text }, { workspace }) {
    writeFileSync(join(workspace, path), text)
    return { path, size: text.length }
  },
}
