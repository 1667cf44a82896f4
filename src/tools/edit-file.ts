import { answer, ToolError } from '../core/call/result.ts'
import type { ReadFiles } from '../core/ports/files.ts'
import { notText } from '../core/text/file-text.ts'
import { next, output, pipeline } from '../core/tool/pipeline.ts'
import { array, boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { writes } from '../core/tool/touch.ts'
import { describeProblems, PROBLEMS, watchProblems } from './checkers/watch-problems.ts'
import { applyEdits } from './edits/apply-edits.ts'
import { describeEditFailure } from './edits/describe-failure.ts'
import type { Edit } from './edits/match-edit.ts'
import { runsLater } from './edits/runs-later.ts'

/** The largest file that can be edited, in bytes. */
const MAX_EDITED = 10 * 1024 * 1024

export default defineTool({
  name: 'edit_file',
  description:
    'Replace parts of a text file. Copy each old text from the file; it must match exactly one place. All edits match the original file; all are applied or none.',
  input: objectSchema({
    path: string('File, relative to the workspace'),
    edits: array(
      objectSchema({
        old: string('Text to replace, with enough lines around it to be unique; empty only for a new or empty file'),
        new: string('Replacement'),
        replaceAll: optional(boolean('Replace every match, default false')),
      }),
      'Edits',
      { minItems: 1, maxItems: 500 },
    ),
  }),
  argumentAliases: {
    path: ['filePath', 'fileName', 'file', 'absolutePath', 'targetFile'],
    edits: ['changes', 'replacements'],
    old: ['oldString', 'oldText', 'oldStr', 'search'],
    new: ['newString', 'newText', 'newStr', 'replace', 'replacement'],
  },
  output: objectSchema({
    path: string('The file'),
    size: integer('New size in bytes', { minimum: 0 }),
    diff: string('Unified diff of the change'),
    problems: optional(PROBLEMS),
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
        const target = files.writable(path)
        const isTrusted = target.isTrusted || runsLater(files, target.path, bytes)
        return next({ bytes, diff }, { expects, preview: { kind: 'diff', text: diff }, isTrusted })
      })
      .approval()
      .step(async ({ bytes, diff }, context) => {
        const findProblems = watchProblems(path, context)
        const { size } = context.files.write(path, bytes)
        const problems = await findProblems()
        const text = `Edited ${path}, now ${size} bytes\n${diff}${describeProblems(problems)}`
        return output(answer(text, { path, size, diff, ...(problems.length > 0 && { problems }) }))
      }),
})

function edited(files: ReadFiles, path: string, edits: readonly Edit[]): Uint8Array {
  const before = currentText(files, path, edits)
  const outcome = applyEdits(before, edits)
  if (outcome.ok) {
    if (outcome.content.isWellFormed()) return Buffer.from(outcome.content)
    throw new ToolError('INVALID_ARGUMENTS', 'new contains a lone surrogate (half a character). Nothing was changed.')
  }
  throw new ToolError('CONFLICT', `${path}: ${describeEditFailure(outcome, before ?? '', edits)}`, {
    details: { path, reason: outcome.reason, edit: outcome.edit },
  })
}

/** Returns the file's text, or null when the edits create a new file. */
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
