import { runText } from '../run/run-text.ts'
import { act, NO_OUTPUT, newShell, type ShellState } from '../shell-state.ts'
import { touchPath } from '../touch-path.ts'

const ADDRESS =
  /^\s*(?:(?:\d+|\$|\/(?:\\.|[^/\\])*\/I?|\\(.)(?:\\.|(?!\1).)*\1)\s*(?:~\d+|,\s*(?:\+?\d+|~\d+|\$|\/(?:\\.|[^/\\])*\/I?))?)?\s*!?\s*/

/** Reads a sed script: the files it reads and writes, the commands it runs. */
export function readSed(state: ShellState, script: string): undefined {
  let rest = script
  for (let steps = 0; rest !== '' && steps < 2_000; steps++) {
    rest = rest.replace(/^[\s;{}]+/, '').replace(ADDRESS, '')
    if (rest === '') return
    rest = readOne(state, rest)
  }
}

/** Reads the first command; returns what follows it. */
function readOne(state: ShellState, text: string): string {
  const command = text.charAt(0)
  const line = text.slice(1).split('\n', 1)[0] ?? ''
  const afterLine = text.slice(1 + line.length)
  if (command === 's' || command === 'y') return readSubstitution(state, text)
  if (command === 'w' || command === 'W') touchPath(state, 'writes', line.trim())
  else if (command === 'r' || command === 'R') touchPath(state, 'reads', line.trim())
  else if (command === 'e') {
    act(state, 'unknown-command', `sed e${line}`)
    runText(newShell(state), line, NO_OUTPUT)
  } else if (!'aic:btT#'.includes(command)) return text.slice(1)
  return afterLine
}

function readSubstitution(state: ShellState, text: string): string {
  const delimiter = text.charAt(1)
  const parts: string[] = ['']
  let at = 2
  for (; at < text.length && parts.length < 3; at++) {
    const character = text.charAt(at)
    if (character === delimiter) parts.push('')
    else {
      const piece =
        character === '\\' ? (text.charAt(at + 1) === delimiter ? delimiter : text.slice(at, at + 2)) : character
      if (character === '\\') at++
      parts[parts.length - 1] += piece
    }
  }
  const flags = /^[a-zA-Z0-9]*/.exec(text.slice(at))?.[0] ?? ''
  const written = /w/.test(flags) ? text.slice(at + flags.indexOf('w') + 1).split('\n', 1)[0] : undefined
  if (text.startsWith('s') && /[em]*e/.test(flags.split('w')[0] ?? '')) {
    act(state, 'unknown-command', 'sed s///e')
    runText(newShell(state), parts[1] ?? '', NO_OUTPUT)
  }
  if (written !== undefined) {
    touchPath(state, 'writes', written.trim())
    return text.slice(at + flags.indexOf('w') + 1 + written.length)
  }
  return text.slice(at + flags.length)
}
