import { answer, ToolError } from '../core/call/result.ts'
import type { FileFacts, ReadFiles } from '../core/ports/files.ts'
import { lazyCrypto } from '../core/text/lazy-crypto.ts'
import { undoWarning } from '../core/text/undo-warning.ts'
import type { Preview } from '../core/tool/prepared.ts'
import { boolean, integer, objectSchema, oneOf, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { writes } from '../core/tool/touch.ts'
import { describeProblems, PROBLEMS, watchProblems } from './checkers/watch-problems.ts'
import { runsLater } from './edits/runs-later.ts'

export default defineTool({
  name: 'write_file',
  description:
    'Create a file or replace its full content; creates missing folders. To change part of a file use edit_file.',
  input: objectSchema({
    path: string('File, relative to the workspace'),
    content: string('Full content'),
    encoding: optional(oneOf(['utf-8', 'base64'], 'Encoding of content, default utf-8')),
    createDirs: optional(boolean('Create missing folders, default true')),
  }),
  argumentAliases: {
    path: ['filePath', 'fileName', 'file', 'absolutePath', 'targetFile'],
    content: ['contents', 'fileText', 'text'],
  },
  output: objectSchema({
    path: string('The file'),
    size: integer('Bytes written', { minimum: 0 }),
    problems: optional(PROBLEMS),
  }),
  effect: 'write',
  main: 'path',
  touches: ({ path }) => [writes(path)],
  approval({ path }, { files }) {
    const target = files.writable(path)
    return target.current !== undefined || target.isTrusted
  },
  async prepare({ path, content, encoding, createDirs = true }, { files }) {
    const target = files.writable(path)
    const bytes = bytesOf(content, encoding)
    if (!target.hasFolder && !createDirs) throw noFolder(path)
    const expects = { [path]: target.current ? files.state(path, 'content') : null }
    const isTrusted = target.isTrusted || runsLater(files, target.path, bytes)
    const asks = target.current !== undefined || isTrusted
    if (!asks) return { expects }
    if (isSame(files, path, { current: target.current, bytes }))
      return { expects, preview: { kind: 'text', text: unchanged(path) }, changesNothing: true }
    const cannotUndo = target.current !== undefined && undoWarning(path, target.current, files).length > 0
    return { expects, preview: await previewOf(files, path, { current: target.current, bytes }), cannotUndo, isTrusted }
  },
  async execute({ path, content, encoding, createDirs = true }, context) {
    const { files } = context
    const bytes = bytesOf(content, encoding)
    const { current } = files.writable(path)
    if (isSame(files, path, { current, bytes })) return answer(unchanged(path), { path, size: bytes.length })
    const findProblems = watchProblems(path, context)
    const { size } = files.write(path, bytes, { createParents: createDirs })
    const problems = await findProblems()
    const text = `Wrote ${size} bytes to ${path}${describeProblems(problems)}`
    return answer(text, { path, size, ...(problems.length > 0 && { problems }) })
  },
})

interface Replacing {
  readonly current: FileFacts | undefined
  readonly bytes: Uint8Array
}

/** True if the file already holds exactly these bytes. */
function isSame(files: ReadFiles, path: string, { current, bytes }: Replacing): boolean {
  if (current?.type !== 'file' || current.size !== bytes.length) return false
  return files.state(path, 'content') === lazyCrypto().hash('sha256', bytes, 'hex')
}

function unchanged(path: string): string {
  return `${path} is unchanged: it already holds exactly this content`
}

const HALF_CHARACTER =
  'content contains a lone surrogate (half a character), which UTF-8 cannot encode. Nothing was written.'

function bytesOf(content: string, encoding: string | undefined): Uint8Array {
  if (encoding !== 'base64') {
    if (!content.isWellFormed()) throw new ToolError('INVALID_ARGUMENTS', HALF_CHARACTER)
    return Buffer.from(content)
  }
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(content.replace(/\s/g, ''))) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'encoding is base64, but content is not valid base64. Nothing was written.',
    )
  }
  return Buffer.from(content, 'base64')
}

function noFolder(path: string): ToolError {
  return new ToolError(
    'FILE_NOT_FOUND',
    `The folder of ${path} does not exist, and createDirs is false. Nothing was written.`,
    {
      details: { path },
    },
  )
}

async function previewOf(files: ReadFiles, path: string, { current, bytes }: Replacing): Promise<Preview> {
  const warning = current ? undoWarning(path, current, files) : []
  const diff = await files.diff(path, bytes)
  if (diff !== undefined) return { kind: 'diff', text: [...warning, diff].join('\n') }
  const replaced = current ? `replaces ${current.size} bytes` : 'a new file'
  return { kind: 'text', text: [...warning, `${path}: ${bytes.length} bytes, ${replaced}`].join('\n') }
}
