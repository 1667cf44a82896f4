import { answer } from '../core/call/result.ts'
import { delegate, fail, next, output, pipeline } from '../core/tool/pipeline.ts'
import { integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'

export default defineTool({
  name: 'open_file',
  description:
    "Open a file in the user's editor or viewer, for them to look at. To read a file yourself use read_file.",
  input: objectSchema({
    path: string('File, relative to the workspace'),
    line: optional(integer('Line, from 1', { minimum: 1 })),
    column: optional(integer('Column, from 1', { minimum: 1 })),
  }),
  argumentAliases: { path: ['filePath', 'fileName', 'file', 'absolutePath', 'targetFile'] },
  effect: 'read',
  main: 'path',
  touches: ({ path }) => [reads(path)],
  steps({ path, line, column }) {
    const effect = {
      ...({ kind: 'open', path } as const),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    }
    return pipeline()
      .step((_, { files, opener }) => {
        const { size } = files.existing(path)
        const program = opener(effect)
        const text = `opens ${path} (${size} bytes) ${program === undefined ? 'in an app that is connected; Haft starts no program' : `with ${program}`}`
        return next(undefined, { preview: { kind: 'text', text } })
      })
      .approval()
      .step((_, { files }) => {
        files.existing(path) // It may have been deleted while the approval was pending.
        return delegate(effect)
      })
      .step((opened) =>
        opened.done
          ? output(answer(opened.text ?? `Opened ${path}`, { path }))
          : fail('UNAVAILABLE', `${path} was not opened: ${opened.reason}.`),
      )
  },
})
