import { runInner } from '../arguments/code-roles.ts'
import { ENVIRONMENT } from '../commands/environment.ts'
import { MARKS, markGlobs } from '../marks.ts'
import { act, NO_OUTPUT, newShell, type Output, type ShellState, subshell } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'
import { runText } from './run-text.ts'

/** Reads a call of xargs: the inner command with words from the input. */
export function runXargs(state: ShellState, words: readonly string[], input: Output): Output {
  let text = input.text
  let placeholder: string | undefined
  let separator = /[\s\0]+/
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) break
    const file = /^(?:-a|--arg-file=?)(.*)$/s.exec(word)
    const replaced = /^(?:-I|-J|--replace=?)(.*)$/s.exec(word)
    if (file) text = fileText(state, file[1] === '' ? (words[++at] ?? '') : (file[1] ?? ''), input)
    else if (replaced) placeholder = replaced[1] === '' ? (word.startsWith('--') ? '{}' : words[++at]) : replaced[1]
    else if (/^-\w*0|^--null$/.test(word)) separator = /\0/
    else if (/^-d|^--delimiter/.test(word)) {
      separator = /[\n\0,;:|]/
      if (/^(-d|--delimiter)$/.test(word)) at++
    } else if (/^--process-slot-var=/.test(word)) noteVariable(state, word.slice(19))
    else if (/^-i/.test(word)) placeholder = word.slice(2) || '{}'
    else if (/^(-[ELnPs]|--(eof|max-lines|max-args|max-procs|max-chars|process-slot-var))$/.test(word)) at++
  }
  const inner = words.slice(at)
  const command = inner.length === 0 ? ['echo'] : inner
  if (placeholder === undefined) return runInner(subshell(state), [...command, ...itemsOf(text, separator)], NO_OUTPUT)
  const items = text
    .split(/[\n\0]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const target = placeholder
  let output = NO_OUTPUT
  for (const item of items)
    output = runInner(
      subshell(state),
      command.map((word) => word.replaceAll(target, item)),
      NO_OUTPUT,
    )
  return output
}

/** Records a variable that xargs sets, where other programs act on it. */
function noteVariable(state: ShellState, name: string): void {
  if (ENVIRONMENT.some(([pattern]) => pattern.test(name))) act(state, 'injects-own', `xargs sets ${name}`)
}

/** Reads a call of GNU parallel, which runs shell text. */
export function runParallel(state: ShellState, words: readonly string[], input: Output): Output {
  const mark = words.findIndex((word) => /^:::\+?:?$/.test(word))
  const options = words.findIndex(
    (word, index) =>
      !word.startsWith('-') && !/^-[jJnNaIX]$|^--(jobs|arg-file|colsep|delay|timeout)$/.test(words[index - 1] ?? ''),
  )
  const end = mark < 0 ? words.length : mark
  const command = options < 0 || options >= end ? [] : words.slice(options, end)
  const file = words.findIndex((word) => /^(-a|--arg-file)$/.test(word))
  const fed = file < 0 || file > end ? input.text : fileText(state, words[file + 1] ?? '', input)
  const items = mark < 0 ? fed.split('\n').filter((line) => line !== '') : words.slice(mark + 1)
  const text = command.join(' ')
  for (const item of items.length === 0 ? [''] : items) {
    const line =
      text === '' ? item : /\{[./#%]*\}/.test(text) ? text.replaceAll(/\{[./#%]*\}/g, () => item) : `${text} ${item}`
    runText(newShell(state), line, NO_OUTPUT)
  }
  return { text: MARKS.unknown, endless: false }
}

function fileText(state: ShellState, word: string, input: Output): string {
  if (word === '-' || word === '/dev/stdin') return input.text
  touchPath(state, 'reads', word)
  return state.files.get(resolveWord(state, word)) ?? MARKS.unknown
}

function itemsOf(text: string, separator: RegExp): string[] {
  const items = text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '')
  return items.map((item) => markGlobs(item.replace(/^(["'])(.*)\1$/s, '$2')))
}
