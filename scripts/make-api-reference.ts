// Writes docs/api.md and docs/events.md from the declarations that the build leaves in dist/types. Run it after a build:
// `npm run build && npm run docs`. A test compares the two files with what this makes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiReference } from './reference/api-reference.ts'
import { eventsReference } from './reference/events-reference.ts'

const root = join(import.meta.dirname, '..')

/** Returns the content of each generated document, by its path. */
export function makeReferences(): Readonly<Record<string, string>> {
  return {
    'docs/api.md': apiReference(join(root, 'dist/types')),
    'docs/events.md': eventsReference(join(root, 'src/core/session/event.ts'), join(root, 'dist/types')),
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(makeReferences())) writeFileSync(join(root, path), text)
}
