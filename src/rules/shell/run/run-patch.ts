import { findSpec } from '../arguments/command-spec.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import { directory, NO_OUTPUT, type Output, type ShellState } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'
import { applyPatch } from './fill-folder.ts'

/** Reads a call of patch: the files that its patch changes. */
export function runPatch(state: ShellState, words: readonly string[], input: Output): Output {
  const spec = findSpec('patch')
  if (spec === undefined) return NO_OUTPUT
  const read = readArguments(spec, words)
  const wordOf = (role: string): string | undefined => read.arguments.find((argument) => argument.role === role)?.word
  const [file, target, original] = [wordOf('input'), wordOf('output'), wordOf('original')]
  const folder = resolveWord(state, wordOf('folder') ?? directory(state))
  const strip = wordOf('strip')
  if (file !== undefined) touchPath(state, 'reads', file)
  if (read.modes.has('dry')) return NO_OUTPUT
  if (target !== undefined) touchPath(state, 'writes', target)
  else if (original !== undefined) touchPath(state, 'writes', `${folder}/${original}`)
  else
    applyPatch(state, {
      folder,
      strip: strip === undefined ? strip : Number(strip),
      input: patchOf(state, file, input),
    })
  return NO_OUTPUT
}

/** Returns the patch: what a file that this command line wrote holds, else the standard input. */
function patchOf(state: ShellState, file: string | undefined, input: Output): Output {
  if (file === undefined || file === '-') return input
  return { text: state.files.get(resolveWord(state, file)) ?? '', endless: false, path: file }
}
