import { ToolError } from '../../core/call/result.ts'
import type { ReadFiles } from '../../core/ports/files.ts'
import { createNamedCheck } from '../../core/rules/named-files.ts'
import { isTrustedByContent, MAX_TRUSTED_CONTENT, runsMore } from '../../core/rules/trusted-content.ts'

/** True when a file with this content makes other programs run code that the present file does not: by what it says, or because an install script, a hook or direnv runs it. */
export function runsLater(files: ReadFiles, path: string, bytes: Uint8Array): boolean {
  if (createNamed(files)(path)) return true
  if (!isTrustedByContent(path)) return false
  return runsMore(path, { before: textIn(files, path), after: Buffer.from(bytes).toString('utf8') })
}

/** True when an install script, a hook or direnv runs a moved entry under its new name, or a file in a moved folder. A folder with very many entries counts as named. */
export function isRunLater(files: ReadFiles, from: string, to: string): boolean {
  const isNamed = createNamed(files)
  let left = MAX_MOVED
  const isNamedBelow = (folder: string, target: string): boolean =>
    files.list(folder, { hidden: true, limit: MAX_MOVED }).entries.some(({ name, type }) => {
      const path = `${target}/${name}`
      return --left < 0 || isNamed(path) || (type === 'directory' && isNamedBelow(`${folder}/${name}`, path))
    })
  return isNamed(to) || (files.existing(from).type === 'directory' && isNamedBelow(from, to))
}

/** How many entries of a moved folder are looked at. */
const MAX_MOVED = 10_000

function createNamed(files: ReadFiles): (path: string) => boolean {
  return createNamedCheck((path) => textIn(files, path))
}

/** Returns the text of a file; undefined when it is missing, no text, or may not be read. */
function textIn(files: ReadFiles, path: string): string | undefined {
  try {
    if (!files.isThere(path)) return undefined
    return files.readText(path, MAX_TRUSTED_CONTENT).text
  } catch (thrown) {
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}
