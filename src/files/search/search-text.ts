import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, fstatSync } from 'node:fs'
import { messageOf, ToolError } from '../../core/call/result.ts'
import type { TextHit, TextQuery } from '../../core/ports/files.ts'
import { wholeCharacterEnd } from '../../core/ports/outputs.ts'
import { openToRead, pathOf } from '../descriptor.ts'
import { openFolder, openInside, openToReadInside } from '../open-inside.ts'
import { findLineIndex, LARGE_FILE, makeLineIndex } from '../read/line-index.ts'
import { statsOfFile } from '../read/read-content.ts'
import { joinPath, pathInside, splitPath, type WorkspaceRoot } from '../workspace-root.ts'
import { createHitReader } from './hit-reader.ts'
import { createReportReader, type RipGrepLine, startRipGrep, type Target } from './rip-grep.ts'

/** The length at which a shown line is cut, in characters. */
const LINE_LENGTH = 500

/** Searches text with ripgrep in the checked folder; resolves to true when there were more hits than the limit. */
export async function searchText(
  root: WorkspaceRoot,
  query: TextQuery,
  found: (hits: readonly TextHit[]) => void,
): Promise<boolean> {
  const path = pathInside(root, query.path)
  const { folder, target } = whereToSearch(root, path)
  using descriptor = openFolder(root, folder)
  // Checked first: otherwise an unreadable folder looks as if ripgrep could not be executed.
  accessSync(pathOf(descriptor), target.name === '' ? constants.R_OK | constants.X_OK : constants.X_OK)
  const child = await startRipGrep(pathOf(descriptor), target, query)
  const stop = () => child.kill('SIGKILL')
  query.signal.addEventListener('abort', stop, { once: true })
  try {
    query.signal.throwIfAborted()
    const [more, complaint, [status]] = await Promise.all([
      readHits(root, { child, folder, limit: query.limit, found }),
      readComplaint(child),
      once(child, 'close').catch(unavailable),
    ])
    query.signal.throwIfAborted()
    if (!more && status === 2 && complaint !== '') throw misunderstood(complaint)
    if (target.name !== '' && target.isNumbered && status === 0) indexLarge(root, path)
    return more
  } finally {
    query.signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Returns the folder to start in: a folder itself, or the parent of a file. Refuses everything else, since reading a fifo would never end. */
function whereToSearch(root: WorkspaceRoot, path: string): { folder: string; target: Target } {
  using opened = openToReadInside(root, path)
  if (fstatSync(opened.fd).isDirectory()) return { folder: path, target: { name: '', isNumbered: true } }
  const stats = statsOfFile(opened, path)
  const { folder, name } = splitPath(path)
  return { folder, target: { name, isNumbered: stats.size < LARGE_FILE || !findLineIndex(opened.fd) } }
}

/** Builds the line index of a large file with hits, since more searches and reads are likely. */
function indexLarge(root: WorkspaceRoot, path: string): void {
  using opened = openInside(root, path)
  if (fstatSync(opened.fd).size >= LARGE_FILE) void makeLineIndex(openToRead(opened))
}

interface Reading {
  readonly child: ChildProcess
  readonly folder: string
  readonly limit: number
  found(hits: readonly TextHit[]): void
}

/** Passes on confirmed hits until the limit is exceeded or the search ends. */
async function readHits(root: WorkspaceRoot, { child, folder, limit, found }: Reading): Promise<boolean> {
  using reader = createHitReader(root)
  const readReports = createReportReader()
  let current = ''
  let matches = 0
  for await (const chunk of child.stdout ?? []) {
    const hits: TextHit[] = []
    for (const report of readReports(chunk)) {
      if (report.type === 'match' && matches === limit) {
        found(hits)
        child.kill('SIGKILL')
        return true
      }
      const path = joinPath(folder, report.path)
      if (path !== current) reader.open(path)
      current = path
      if (!reader.confirms(report.offset, report.bytes)) continue
      if (report.type === 'match') matches++
      hits.push(hitOf(report, path, report.line ?? reader.lineAt(report.offset)))
    }
    if (hits.length > 0) found(hits)
  }
  return false
}

function hitOf({ type, bytes }: RipGrepLine, path: string, line: number): TextHit {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  const cut = text.length > LINE_LENGTH ? `${text.slice(0, wholeCharacterEnd(text, LINE_LENGTH))}…` : text
  return { path, line, text: cut, match: type === 'match' }
}

async function readComplaint({ stderr }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stderr ?? []) if (text.length < 2_000) text += String(chunk)
  return text.trim()
}

function unavailable(error: unknown): never {
  throw new ToolError('UNAVAILABLE', `ripgrep could not be started: ${messageOf(error)}`)
}

function misunderstood(complaint: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `ripgrep rejected the search: ${complaint.replace(/^rg: /, '')}`)
}
