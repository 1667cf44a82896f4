import { settled } from '../marks.ts'
import { setVariable } from '../scope.ts'
import { act, NO_OUTPUT, newShell, type Output, type ShellState } from '../shell-state.ts'
import { runFile } from './run-file.ts'
import { runText } from './run-text.ts'

/** Reads a call of a shell: text after `-c`, a script file, or its standard input. */
export function runShell(state: ShellState, words: readonly string[], input: Output): Output {
  let isText = false
  let isFed = false
  let at = 0
  for (; at < words.length; at++) {
    const word = settled(words[at] ?? '')
    if (word === '--' || word === '-') {
      at++
      break
    }
    if (!/^[-+]/.test(word)) break
    if (/^--(rcfile|init-file)$/.test(word))
      runFile(state, { path: words[++at] ?? '', words: [], input: NO_OUTPUT, language: 'shell' })
    else if (/^--(command|init-command)(=|$)/.test(word)) {
      if (word.includes('=')) return runText(newShell(state), word.slice(word.indexOf('=') + 1), input)
      isText = true
    } else if (/^[-+][a-zA-Z]*[oO]$/.test(word)) at++
    if (/^-[a-zA-Z]*c/.test(word)) isText = true
    if (/^-[a-zA-Z]*s/.test(word)) isFed = true
  }
  const inner = newShell(state)
  const [first, ...rest] = words.slice(at)
  if (isText && first !== undefined) {
    setVariable(inner.scope, '0', { value: [rest[0] ?? 'bash'] })
    setVariable(inner.scope, '@', { value: rest.slice(1), array: true })
    if (first === '') act(state, 'unknown', 'a shell given parameters as its text')
    return runText(inner, first, input)
  }
  if (first !== undefined && !isFed) return runFile(state, { path: first, words: rest, input, language: 'shell' })
  setVariable(inner.scope, '@', { value: first === undefined ? [] : [first, ...rest], array: true })
  // A shell without input reads what an earlier `exec <` opened.
  return runText(inner, input.text === '' ? (state.files.get('/dev/fd/0') ?? '') : input.text, NO_OUTPUT)
}
