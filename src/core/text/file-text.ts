import { ToolError } from '../call/result.ts'

/** The largest file that is read, and the largest part of a file. */
export const MAX_READ = 1024 * 1024

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes bytes as UTF-8 without losing a character; returns undefined if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** The failure for a file that is not UTF-8 text. */
export function notText(path: string, size: number): ToolError {
  return new ToolError(
    'EXECUTION_ERROR',
    `${path} is not UTF-8 text (${size} bytes, maybe binary or in another encoding). read_file with "encoding": "base64" returns its bytes.`,
    { details: { path, size, reason: 'NOT_UTF8' } },
  )
}
