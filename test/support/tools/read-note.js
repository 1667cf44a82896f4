import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Effect read. */
export default {
  name: 'read_note',
  description: 'Read a note of the workspace.',
  aliases: ['show_note'],
  input: { type: 'object', properties: { path: { type: 'string', description: 'Which note' } }, required: ['path'] },
  effect: 'read',
  main: 'path',
  touches: ({ path }) => [{ kind: 'reads', path }],
  execute: ({ path }, { workspace }) => readFileSync(join(workspace, path), 'utf8'),
}
