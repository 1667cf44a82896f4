import type { ReadFiles } from '../../core/ports/files.ts'
import { isTrustedByContent, MAX_TRUSTED_CONTENT, runsMore } from '../../core/rules/trusted-content.ts'

/** True when a file with this content makes other programs run code that the present file does not. */
export function runsLater(files: ReadFiles, path: string, bytes: Uint8Array): boolean {
  if (!isTrustedByContent(path)) return false
  const isThere = files.writable(path).current !== undefined
  const before = isThere ? files.readText(path, MAX_TRUSTED_CONTENT).text : undefined
  return runsMore(path, { before, after: Buffer.from(bytes).toString('utf8') })
}
