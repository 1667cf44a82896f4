import { runInner } from '../arguments/code-roles.ts'
import { MARKS, markGlobs } from '../marks.ts'
import { act, type Output, type ShellState, subshell } from '../shell-state.ts'
import { touchPath } from '../touch-path.ts'

const EXECUTES = /^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/

/** Reads a call of find or fd: the listed roots, deletions, and the commands that it starts. */
export function runFind(state: ShellState, words: readonly string[], input: Output): Output {
  const roots = rootsOf(words)
  const pattern = words[words.findIndex((word) => /^-i?name$/.test(word)) + 1]
  const hasPattern =
    words.some((word) => /^-i?name$/.test(word)) && pattern !== undefined && !/^[*?.\uE001\uE002]*$/.test(pattern)
  const below = hasPattern ? `${MARKS.deep}/${markGlobs(pattern)}` : MARKS.deep
  const found = roots.map((root) => `${root.replace(/\/$/, '')}/${below}`)
  // Every folder below is listed, whatever is looked for in it.
  const listed = hasPattern ? roots.map((root) => `${root.replace(/\/$/, '')}/${MARKS.deep}`) : []
  for (const path of [...roots, ...listed, ...found]) touchPath(state, 'lists', path)
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-delete') for (const path of found) touchPath(state, 'deletes', path)
    if (/^-f(print0?|printf|ls)$/.test(word)) touchPath(state, 'writes', words[at + 1] ?? '')
    if (word === '-files0-from') touchPath(state, 'reads', words[at + 1] ?? '')
    if (EXECUTES.test(word)) at = execute(state, { words, at, found, input })
  }
  return { text: found.map((path) => `${path}\n`).join(''), endless: false }
}

function rootsOf(words: readonly string[]): string[] {
  const roots: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^-([HLP]|O\d?|D)$/.test(word)) {
      if (word === '-D') at++
      continue
    }
    if (/^[-(!]/.test(word)) break
    roots.push(word)
  }
  return roots.length === 0 ? ['.'] : roots
}

interface Execution {
  readonly words: readonly string[]
  readonly at: number
  readonly found: readonly string[]
  readonly input: Output
}

/** Reads the command after `-exec` with the found paths for `{}`; returns where it ends. */
function execute(state: ShellState, { words, at, found, input }: Execution): number {
  const rest = words.slice(at + 1)
  const stop = rest.findIndex((word, index) => word === ';' || (word === '+' && rest[index - 1] === '{}'))
  const inner = stop < 0 ? rest : rest.slice(0, stop)
  const usesPlace = inner.some((word) => word.includes('{}'))
  for (const path of found) {
    const filled = inner.map((word) => word.replaceAll('{}', path))
    // Found names inside a shell script are run as text.
    if (inner.some((word, index) => word.includes('{}') && inner[index - 1] === '-c'))
      act(state, 'unknown', 'found names run as shell text')
    runInner(
      subshell(state),
      usesPlace || !/^-?-[xX]|^--exec/.test(words[at] ?? '') ? filled : [...filled, path],
      input,
    )
  }
  return found.length === 0 || stop < 0 ? words.length : at + 1 + stop
}
