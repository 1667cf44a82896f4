import { array, boolean, integer, objectSchema, optional, string } from '../../core/tool/schema.ts'

const NO_NUL = '^[^\\0]*$'

/** The folder of the repository. */
export const REPO = optional(
  string('Folder of the repository, default the workspace', { minLength: 1, pattern: NO_NUL }),
)

/** Paths of a command of git, taken literally. */
export const PATHS = optional(
  array(string('Path relative to the repository', { minLength: 1, pattern: NO_NUL }), 'Only these paths', {
    minItems: 1,
    maxItems: 1_000,
  }),
)

/** A branch, tag or commit. */
export const ref = (description: string) => string(description, { minLength: 1, maxLength: 1_000, pattern: NO_NUL })

/** A changed file with its numbers of lines. */
export const CHANGED_FILE = objectSchema({
  path: string('The file'),
  from: optional(string('Its former path')),
  added: integer('Lines added', { minimum: 0 }),
  removed: integer('Lines removed', { minimum: 0 }),
  binary: optional(boolean('True for a file that is not text')),
})

/** A commit. */
export const COMMIT = objectSchema({
  commit: string('Its full name'),
  author: string('Name and address'),
  date: string('ISO 8601'),
  subject: string('First line of the message'),
  body: string('The rest of the message'),
  parents: array(string('Commit'), 'Parents'),
  refs: array(string('Branch or tag'), 'Branches and tags here'),
})
