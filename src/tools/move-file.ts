import { answer, ToolError } from '../core/call/result.ts'
import type { ReadFiles } from '../core/ports/files.ts'
import { isTrustedByContent, MAX_TRUSTED_CONTENT } from '../core/rules/trusted-content.ts'
import { undoWarning } from '../core/text/undo-warning.ts'
import { boolean, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { deletes, reads, writes } from '../core/tool/touch.ts'
import { isRunLater, runsLater } from './edits/runs-later.ts'

export default defineTool({
  name: 'move_file',
  description:
    'Move or rename a file or folder. Creates missing folders; replaces an existing file only with overwrite.',
  input: objectSchema({
    from: string('Source, relative to the workspace'),
    to: string('Full new path, relative to the workspace'),
    overwrite: optional(boolean('Replace an existing file, default false')),
  }),
  argumentAliases: {
    from: ['source', 'src', 'sourcePath', 'oldPath'],
    to: ['destination', 'dest', 'target', 'newPath'],
  },
  output: objectSchema({ from: string('Old path'), to: string('New path') }),
  effect: 'write',
  main: 'from',
  touches: ({ from, to }) => [reads(from), deletes(from, { isMove: true }), writes(to)],
  approval({ to }, { files }) {
    const target = files.changeable(to)
    return target.current !== undefined || target.isTrusted
  },
  prepare({ from, to, overwrite = false }, { files }) {
    const source = files.existing(from)
    const target = files.changeable(to)
    const { current } = target
    if (current && current.type !== 'directory' && !overwrite) {
      throw new ToolError(
        'CONFLICT',
        `${to} already exists; set overwrite to true to replace it. Nothing was changed.`,
        {
          details: { path: to, reason: 'EXISTS' },
        },
      )
    }
    const expects = {
      ...(source.type !== 'directory' && { [from]: files.state(from, 'entry') }),
      ...(current?.type !== 'directory' && { [to]: files.state(to, 'entry') }),
    }
    const replaces = current ? `, which replaces the ${current.type} of ${current.size} bytes there` : ''
    const warning = current ? undoWarning(to, current, files) : []
    const text = [`moves ${from} to ${to}${replaces}`, ...warning].join('\n')
    const isTrusted =
      target.isTrusted ||
      isRunLater(files, from, target.path) ||
      (source.type === 'file' && isTrustedByContent(to) && movedRunsLater(files, from, to))
    return { expects, preview: { kind: 'text', text }, cannotUndo: warning.length > 0, isTrusted }
  },
  execute({ from, to, overwrite = false }, { files }) {
    files.move(from, to, { overwrite })
    return answer(`Moved ${from} to ${to}`, { from, to })
  },
})

/** True when a moved file makes other programs run code under its new name. */
function movedRunsLater(files: ReadFiles, from: string, to: string): boolean {
  return runsLater(files, to, files.read(from, MAX_TRUSTED_CONTENT).bytes)
}
