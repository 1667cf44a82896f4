import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file of instructions longer than this is cut, in characters. */
const MAX_TEXT = 30_000

/** A file that tells an agent how to work. */
export interface Instructions {
  readonly path: string
  readonly text: string
}

/** Finds AGENTS.md, or CLAUDE.md where there is none: the person's own, then those of the folders above the workspace up to its repository, then that of the workspace. */
export function findInstructions(workspace: string, haftHome: string): readonly Instructions[] {
  return [haftHome, ...foldersAbove(workspace), workspace].flatMap((folder) => readInstructions(folder) ?? [])
}

/** The folders from the root of the repository that holds the workspace down to it; none outside a repository. */
function foldersAbove(workspace: string): string[] {
  const above: string[] = []
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (statSync(join(folder, '.git'), { throwIfNoEntry: false })) return above
    const parent = dirname(folder)
    if (parent === folder) return []
    above.unshift(parent)
  }
}

function readInstructions(folder: string): Instructions | undefined {
  for (const name of ['AGENTS.md', 'CLAUDE.md']) {
    const path = join(folder, name)
    try {
      return { path, text: cut(readFileSync(path, 'utf8')) }
    } catch {
      // Not there, or not readable: the next name.
    }
  }
  return undefined
}

/** The start of a long text, with a note, so that nobody takes it for the whole. */
function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}\n[The rest of this file was left out.]`
}
