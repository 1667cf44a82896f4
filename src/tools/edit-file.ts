import { answer, ToolError } from '../core/call/result.ts'
import type { ReadFiles } from '../core/ports/files.ts'
import { notText } from '../core/text/file-text.ts'
import { next, output, pipeline } from '../core/tool/pipeline.ts'
import { array, boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { writes } from '../core/tool/touch.ts'
import { applyEdits } from './edits/apply-edits.ts'
import { describeEditFailure } from './edits/describe-failure.ts'
import type { Edit } from './edits/match-edit.ts'

/** A larger file is not edited this way. */
const MAX_EDITED = 10 * 1024 * 1024

export default defineTool({
  name: 'edit_file',
  description:
    'Replace parts of a text file. Each old text must be copied from the file and fit exactly one place; all edits are matched against the file as it is, and all are made or none.',
  input: objectSchema({
    path: string('File, relative to the workspace'),
    edits: array(
      objectSchema({
        old: string(
          'Text of the file to replace, with enough lines around it to fit one place; empty only for a new or empty file',
        ),
        new: string('Text to put in its place'),
        replaceAll: optional(boolean('Replace every place; false when left out')),
      }),
      'The replacements',
      { minItems: 1, maxItems: 500 },
    ),
  }),
  output: objectSchema({
    path: string('The file'),
    size: integer('Bytes it has now', { minimum: 0 }),
    diff: string('What changed, as a unified diff'),
  }),
  effect: 'write',
  main: 'path',
  touches: ({ path }) => [writes(path)],
  steps: ({ path, edits }) =>
    pipeline()
      .step(async (_, { files }) => {
        const expects = { [path]: files.state(path, 'content') }
        const bytes = edited(files, path, edits)
        const diff = await diffOf(files, path, bytes)
        return next({ bytes, diff }, { expects, preview: { kind: 'diff', text: diff } })
      })
      .approval()
      .step(({ bytes, diff }, { files }) => {
        const { size } = files.write(path, bytes)
        return output(answer(`Edited ${path}, now ${size} bytes\n${diff}`, { path, size, diff }))
      }),
})

function edited(files: ReadFiles, path: string, edits: readonly Edit[]): Uint8Array {
  const before = currentText(files, path, edits)
  const outcome = applyEdits(before, edits)
  if (outcome.ok) {
    if (outcome.content.isWellFormed()) return Buffer.from(outcome.content)
    throw new ToolError('INVALID_ARGUMENTS', 'new holds half a character (a lone surrogate). Nothing was changed.')
  }
  throw new ToolError('CONFLICT', `${path}: ${describeEditFailure(outcome, before ?? '', edits)}`, {
    details: { path, reason: outcome.reason, edit: outcome.edit },
  })
}

/** What the file holds; null where there is none and the edits are to make it. */
function currentText(files: ReadFiles, path: string, edits: readonly Edit[]): string | null {
  if (files.writable(path).current === undefined && edits.every(({ old }) => old === '')) return null
  const { text, size } = readExisting(files, path)
  if (text === undefined) throw notText(path, size)
  return text
}

function readExisting(files: ReadFiles, path: string) {
  try {
    return files.readText(path, MAX_EDITED)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'FILE_NOT_FOUND') throw error
    throw new ToolError(error.code, error.message, { details: { ...error.details, reason: 'NOT_FOUND' } })
  }
}

async function diffOf(files: ReadFiles, path: string, bytes: Uint8Array): Promise<string> {
  return (await files.diff(path, bytes)) ?? `--- ${path}\n+++ ${path}\n(too different to show line by line)\n`
}
