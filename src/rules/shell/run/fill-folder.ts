import { isOpen } from '../marks.ts'
import { note, type Output, type ShellState } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'

interface Filled {
  /** The folder that files are put into. */
  readonly folder: string
  /** The archive or patch that they come from; undefined when it comes through a pipe. */
  readonly source?: string | undefined
  /** True when everything below may change, as a person named this folder. */
  readonly tree?: boolean
}

/** Records that files of names not known beforehand are put into a folder: whatever is there may be overwritten, unless the source does not exist. */
export function fillFolder(state: ShellState, { folder, source, tree = false }: Filled): undefined {
  const path = resolveWord(state, folder)
  const needed = source === undefined ? undefined : neededPath(state, source)
  note(state, {
    ...{ kind: 'writes', path, tree, fills: true },
    ...(state.isEveryday && { isEveryday: true }),
    ...(needed !== undefined && { source: needed }),
  })
}

/** Returns the path of a source that must exist already; undefined when this command line may create it. */
function neededPath(state: ShellState, source: string): string | undefined {
  if (source === '-' || isOpen(source)) return undefined
  const path = resolveWord(state, source)
  const isMade = state.effects.some((effect) => effect.kind === 'writes' && path.startsWith(effect.path))
  return isMade || state.effects.some(({ kind }) => kind === 'connects') ? undefined : path
}

interface Patch {
  /** The folder that the paths in the patch start from. */
  readonly folder: string
  /** How many leading parts of each path are left out; undefined: all but the last. */
  readonly strip: number | undefined
  readonly input: Output
}

/** Reads a patch: the files that it changes and deletes where its text is known, else any file of the folder. */
export function applyPatch(state: ShellState, { folder, strip, input }: Patch): undefined {
  const { text } = input
  if (isOpen(text) || !/^\+\+\+ /m.test(text)) return fillFolder(state, { folder, source: input.path })
  const named = (line: string) => stripped(line.replace(/\t.*$/, '').trim(), strip)
  for (const [, before = '', after = ''] of text.matchAll(/^--- (.+)\n\+\+\+ (.+)$/gm)) {
    if (after.startsWith('/dev/null')) touchPath(state, 'deletes', `${folder}/${named(before)}`)
    else touchPath(state, 'writes', `${folder}/${named(after)}`)
  }
}

function stripped(path: string, strip: number | undefined): string {
  const parts = path.split('/')
  return parts.slice(strip === undefined ? -1 : Math.min(strip, parts.length - 1)).join('/')
}
