import { runText } from '../run/run-text.ts'
import { act, guessing, NO_OUTPUT, newShell, type ShellState } from '../shell-state.ts'
import { touchPath } from '../touch-path.ts'

const STRING = /"((?:\\.|[^"\\])*)"/g
/** A pipe to a command that only sorts or shows text. */
const HARMLESS_PIPE =
  /\|\s*"(sort|uniq|head|tail|column|wc|nl|cut|tr|fmt|rev|tac|cat)( -[\w:,.=+-]+| \d+)*"(?=\s*([;}\n]|$))/g
const STRING_OR_REGEX = /"(?:\\.|[^"\\])*"|(^|[~(,{;&|!]\s*|\s)\/(?:\\.|[^/\\\n])+\//g

/** Reads an awk program: commands it pipes to or runs, files it reads and writes by name. */
export function readAwk(state: ShellState, program: string): undefined {
  const code = program.replace(STRING_OR_REGEX, (found, before?: string) =>
    found.startsWith('"') ? found : `${before ?? ''} `,
  )
  const bare = code.replace(HARMLESS_PIPE, ' ').replace(STRING, '""').replaceAll('||', '')
  const starts = /\bsystem\s*\(|\|&?\s*(getline|"|\w)|@load|@include|@\w+\s*\(/.test(bare)
  for (const match of code.matchAll(STRING)) {
    const text = (match[1] ?? '').replace(/\\(.)/g, '$1')
    const before = code.slice(0, match.index).trimEnd()
    if (starts) runText(newShell(state), text, NO_OUTPUT)
    if (/>$/.test(before) && !/[()]\s*\w*\s*>$/.test(before)) touchPath(state, 'writes', text)
    else if (/getline(\s+\w+)?\s*<$/.test(before)) touchPath(state, 'reads', text)
    else if (text.startsWith('/inet/')) act(state, 'raw-socket', text)
    else if (/^\/\w/.test(text)) touchPath(guessing(state), 'reads', text)
  }
  if (starts) act(state, 'unknown-command', 'a command that awk starts')
  if (/\bENVIRON\b/.test(bare)) act(state, 'environment', 'ENVIRON')
  if (/\bprint[^;}\n]*>\s*[^"\s=>]/.test(bare)) act(state, 'unknown', 'a file that awk writes')
}
