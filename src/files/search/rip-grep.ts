import { type ChildProcess, spawn } from 'node:child_process'
import type { TextQuery } from '../../core/ports/files.ts'
import { isRecord } from '../../core/text/json.ts'

/** One line that ripgrep reports; `offset` counts bytes of the file. */
export interface RipGrepLine {
  readonly type: 'match' | 'context'
  readonly path: string
  /** Undefined when line numbers were not requested. */
  readonly line: number | undefined
  readonly offset: number
  readonly bytes: Uint8Array
}

/** The longest report, in bytes; longer ones (files with one very long line) are skipped. */
const REPORT_LIMIT = 8 * 1024 * 1024

/** What ripgrep searches: a file of the folder, or the full folder when the name is empty. */
export interface Target {
  readonly name: string
  /** False when an index has the line numbers: counting lines of a large file takes half as long as searching it. */
  readonly isNumbered: boolean
}

/** Starts ripgrep in a folder. It follows no links and reads no configuration file. */
export async function startRipGrep(
  folder: string,
  { name, isNumbered }: Target,
  query: TextQuery,
): Promise<ChildProcess> {
  const { rgPath } = await import('@vscode/ripgrep')
  const { pattern, glob, regex, ignoreCase, context } = query
  const options = ['--json', '--no-config', '--no-follow', '--no-messages', '--no-require-git', '--no-ignore-dot']
  if (name !== '') options.push('--threads=1', '--mmap')
  if (!isNumbered) options.push('--no-line-number')
  if (!regex) options.push('--fixed-strings')
  if (ignoreCase) options.push('--ignore-case')
  if (glob !== undefined) options.push(`--glob=${glob}`)
  if (context !== undefined) options.push(`--context=${context}`)
  const args = [...options, `--regexp=${pattern}`, '--', `./${name}`]
  return spawn(rgPath, args, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Returns a function that splits a stream into JSON reports and returns those that are lines of files. */
export function createReportReader(): (chunk: Buffer) => RipGrepLine[] {
  let pending: Buffer[] = []
  let size = 0
  return (chunk) => {
    const lines: RipGrepLine[] = []
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end)
      if (size + piece.length <= REPORT_LIMIT) {
        const line = readReport(size === 0 ? piece : Buffer.concat([...pending, piece]))
        if (line) lines.push(line)
      }
      pending = []
      size = 0
      start = end + 1
    }
    const rest = chunk.subarray(start)
    size += rest.length
    if (size <= REPORT_LIMIT) pending.push(rest)
    else pending = []
    return lines
  }
}

function readReport(bytes: Buffer): RipGrepLine | undefined {
  const report: unknown = JSON.parse(bytes.toString('utf8'))
  if (!isRecord(report) || (report.type !== 'match' && report.type !== 'context') || !isRecord(report.data))
    return undefined
  const { path, lines, line_number: line, absolute_offset: offset } = report.data
  const [name, text] = [readText(path), readText(lines)]
  if (!name || !text || typeof offset !== 'number') return undefined
  const number = typeof line === 'number' ? line : undefined
  return { type: report.type, path: name.toString('utf8').replace(/^\.\//, ''), line: number, offset, bytes: text }
}

/** Decodes a text of ripgrep, which sends base64 when it is not UTF-8. */
function readText(value: unknown): Buffer | undefined {
  if (!isRecord(value)) return undefined
  if (typeof value.text === 'string') return Buffer.from(value.text)
  return typeof value.bytes === 'string' ? Buffer.from(value.bytes, 'base64') : undefined
}
