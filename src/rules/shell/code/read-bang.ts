import { insidePath } from '../../../core/text/paths.ts'
import { MARKS } from '../marks.ts'
import { runText } from '../run/run-text.ts'
import { act, NO_OUTPUT, newShell, type Output, type ShellState } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'

const UNKNOWN_INPUT: Output = { text: MARKS.unknown, endless: false }

/** Reads commands of editors, pagers and debuggers, which run what follows an exclamation mark. */
export function readBang(state: ShellState, word: string): undefined {
  const bang = word.indexOf('!')
  if (bang >= 0) runText(newShell(state), word.slice(bang + 1), NO_OUTPUT)
  const pipe = /^\+?\|\S*\s*(.*)$/.exec(word)?.[1]
  if (pipe !== undefined) runText(newShell(state), pipe, UNKNOWN_INPUT)
  const piped = /^\s*(?:pipe|\|)\s[^|]*\|\s*(.*)$/s.exec(word)?.[1]
  if (piped !== undefined) {
    act(state, 'unknown-command', word)
    runText(newShell(state), piped, UNKNOWN_INPUT)
  }
  const call = /\b(?:system|shell|call system|systemlist|python3?|perl|ruby|lua|platform shell)\b\W*(.*)$/s.exec(word)
  if (call) {
    for (const [, text = ''] of (call[1] ?? '').matchAll(/["']([^"']+)["']/g)) runText(newShell(state), text, NO_OUTPUT)
    runText(newShell(state), (call[1] ?? '').replace(/["')]+$/, ''), NO_OUTPUT)
    act(state, 'unknown-command', word)
  }
  if (bang >= 0 || /^[+:]*(sh|ter\w*|so\w*|luafile|py3?file|exe\w*|Plug\w*|l?make|l?grep\w*)\b/.test(word))
    act(state, 'unknown-command', word)
  const output = /^\s*(?:dump|append|save|set\s+(?:logging\s+file|output|print))\b.*?([~/][^\s'"]+)/.exec(word)?.[1]
  if (output !== undefined) touchPath(state, 'writes', output)
  if (/^\s*set\s+auto-load/.test(word)) act(state, 'unknown-command', word)
  const written = /^:?(?:w|write|saveas|sav|r|read|e|edit|source|so)!?\s+([^!].*)$/.exec(word)?.[1]
  if (written !== undefined)
    touchPath(
      state,
      insidePath(state.location.workspace, resolveWord(state, written)) === undefined ? 'writes' : 'reads',
      written,
    )
}
