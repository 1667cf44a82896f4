import { type ChildProcess, spawn } from 'node:child_process'
import type { TextQuery } from '../core/files.ts'
import { isRecord } from '../core/json.ts'

/** One line that ripgrep reports; `offset` counts bytes of the file. */
export interface RipGrepLine {
  readonly type: 'match' | 'context'
  readonly path: string
  readonly line: number
  readonly offset: number
  readonly bytes: Uint8Array
}

/** A longer report (a file of one endless line) is passed over. */
const REPORT_LIMIT = 8 * 1024 * 1024

/** Starts ripgrep in a folder on a file or `.`; it follows no link and reads no settings of its own. */
export async function startRipGrep(folder: string, target: string, query: TextQuery): Promise<ChildProcess> {
  const { rgPath } = await import('@vscode/ripgrep')
  const { pattern, glob, regex, ignoreCase, context } = query
  const options = ['--json', '--no-config', '--no-follow', '--no-messages', '--no-require-git', '--no-ignore-dot']
  if (target !== '') options.push('--threads=1', '--mmap')
  if (!regex) options.push('--fixed-strings')
  if (ignoreCase) options.push('--ignore-case')
  if (glob !== undefined) options.push(`--glob=${glob}`)
  if (context !== undefined) options.push(`--context=${context}`)
  const args = [...options, `--regexp=${pattern}`, '--', `./${target}`]
  return spawn(rgPath, args, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Cuts a stream of bytes into reports, one a line; hands over each that is a line of a file. */
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
  if (!name || !text || typeof line !== 'number' || typeof offset !== 'number') return undefined
  return { type: report.type, path: name.toString('utf8').replace(/^\.\//, ''), line, offset, bytes: text }
}

/** ripgrep gives text as it is when it is UTF-8, else as base64. */
function readText(value: unknown): Buffer | undefined {
  if (!isRecord(value)) return undefined
  if (typeof value.text === 'string') return Buffer.from(value.text)
  return typeof value.bytes === 'string' ? Buffer.from(value.bytes, 'base64') : undefined
}
