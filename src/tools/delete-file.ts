import { answer, ToolError } from '../core/call/result.ts'
import type { ReadFiles } from '../core/ports/files.ts'
import { UNDO_WARNING, undoWarning } from '../core/text/undo-warning.ts'
import { array, boolean, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { deletes } from '../core/tool/touch.ts'

/** How many entries of a folder the preview lists. */
const SHOWN = 50

export default defineTool({
  name: 'delete_file',
  description: 'Delete a file, a link (not its target) or, with recursive, a folder and its contents.',
  input: objectSchema({
    path: string('File or folder, relative to the workspace'),
    recursive: optional(boolean('Delete a folder and its contents, default false')),
  }),
  argumentAliases: { path: ['filePath', 'fileName', 'file', 'absolutePath', 'targetFile'] },
  output: objectSchema({
    deleted: array(string('Path'), 'Every deleted path; contents before their folder'),
  }),
  effect: 'write',
  main: 'path',
  approval: true,
  touches: ({ path }) => [deletes(path)],
  async prepare({ path, recursive = false }, { files, signal }) {
    const facts = files.existing(path)
    const { type } = facts
    const isFolder = type === 'directory'
    const inside = isFolder ? await contentsOf(files, path, { recursive, signal }) : undoWarning(path, facts, files)
    const text = [`deletes ${type === 'file' ? '' : `the ${type} `}${path}`, ...inside].join('\n')
    const cannotUndo = inside.some((line) => line.startsWith(UNDO_WARNING))
    return { expects: { [path]: files.state(path, 'entry') }, preview: { kind: 'text', text }, cannotUndo }
  },
  execute({ path, recursive = false }, { files }) {
    const deleted = files.delete(path, { recursive })
    const count =
      deleted.length === 1
        ? `Deleted ${path}`
        : `Deleted ${path} and ${deleted.length - 1} ${deleted.length === 2 ? 'entry' : 'entries'} in it`
    return answer(count, { deleted })
  },
})

async function contentsOf(
  files: ReadFiles,
  path: string,
  { recursive, signal }: { recursive: boolean; signal: AbortSignal },
): Promise<string[]> {
  const { entries, more } = await files.walk(path, { hidden: true, limit: SHOWN, signal })
  if (entries.length > 0 && !recursive) {
    throw new ToolError(
      'CONFLICT',
      `${path} is a folder that is not empty; set recursive to true to delete it and its contents. Nothing was changed.`,
      {
        details: { path, reason: 'NOT_EMPTY' },
      },
    )
  }
  return [
    ...entries.map(({ name, type }) => `  ${name}${type === 'directory' ? '/' : ''}`),
    ...(more ? ['  and more'] : []),
    ...entries.flatMap((entry) => undoWarning(`${path}/${entry.name}`, entry, files)),
  ]
}
