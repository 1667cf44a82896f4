import type { Word, WordPart } from 'unbash'
import { MARKS, markGlobs } from '../marks.ts'
import { parseShell } from '../parse-shell.ts'
import { spend } from '../shell-budget.ts'
import { act, directory, NO_OUTPUT, readVariable, type ShellState, stackedDirectory, subshell } from '../shell-state.ts'
import { expandArithmetic } from './expand-arithmetic.ts'
import { expandBraces } from './expand-braces.ts'
import { expandParameter } from './expand-parameter.ts'

/** Expands a word to its fields: braces, variables, substitutions and splitting; globs become marks. */
export function expandWord(state: ShellState, word: Word): string[] {
  const parts = word.parts
  if (parts === undefined) {
    spend(state.budget, 'words')
    return [word.text.startsWith('~') ? expandTilde(state, word.value) : word.value]
  }
  if (!parts.some((part) => part.type === 'BraceExpansion')) return expandParts(state, word, parts)
  return expandBraces(word.text).flatMap((raw) => {
    spend(state.budget, 'words')
    return reparse(raw).flatMap((piece) => expandParts(state, piece, piece.parts ?? []))
  })
}

/** Appends the fields of a word. */
export function addFields(state: ShellState, word: Word, fields: string[]): void {
  if (word.parts === undefined && !word.text.startsWith('~')) {
    spend(state.budget, 'words')
    fields.push(word.value)
  } else for (const field of expandWord(state, word)) fields.push(field)
}

/** Expands a word to one text, without splitting, as in assignments, redirections and `case`. */
export function expandText(state: ShellState, word: Word): string {
  const parts = word.parts
  if (parts === undefined) return word.text.startsWith('~') ? expandTilde(state, word.value) : word.value
  const text = expandQuoted(state, parts)
  return word.text.startsWith('~') ? expandTilde(state, text) : text
}

/** Expands a word to a pattern, as in `${x%…}`: unquoted globs become marks. */
function expandPattern(state: ShellState, word: Word): string {
  const parts = word.parts
  if (parts === undefined) return EXTENDED_GLOB.test(word.text) ? MARKS.unknown : word.value
  return parts
    .map((part) => {
      const text = partFields(state, part, part.type !== 'Glob').join(' ')
      return isSplit(part) ? markGlobs(text) : text
    })
    .join('')
}

const EXTENDED_GLOB = /[@!?*+]\(/

/** Expands the parts of a double-quoted text or a heredoc. */
export function expandQuoted(state: ShellState, parts: readonly WordPart[]): string {
  const text = parts.map((part) => partFields(state, part, true).join(' ')).join('')
  spend(state.budget, 'characters', text.length)
  return text
}

function reparse(raw: string): readonly Word[] {
  const command = parseShell(`: ${raw}`).commands[0]?.command
  return command?.type === 'Command' ? command.args.filter((argument) => argument.type === 'Word') : []
}

function expandParts(state: ShellState, word: Word, parts: readonly WordPart[]): string[] {
  spend(state.budget, 'words')
  if (parts.length === 0) return [word.text.startsWith('~') ? expandTilde(state, word.value) : word.value]
  const fields: string[] = []
  let current: string | undefined
  for (const part of parts) {
    const some = isSplit(part) ? splitFields(state, part) : partFields(state, part, false)
    for (let index = 0; index < some.length; index++) {
      const text = some[index] ?? ''
      if (index > 0) fields.push(current ?? '')
      current = index > 0 ? text : (current ?? '') + text
    }
  }
  if (current !== undefined) fields.push(current)
  if (parts.length > 1)
    spend(
      state.budget,
      'characters',
      fields.reduce((sum, field) => sum + field.length, 0),
    )
  if (word.text.startsWith('~') && fields[0] !== undefined) fields[0] = expandTilde(state, fields[0])
  return fields
}

function isSplit(part: WordPart): boolean {
  return part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion' || part.type === 'CommandExpansion'
}

/** Splits an unquoted expansion into fields. An empty first or last field means that it began or ended with a separator. */
function splitFields(state: ShellState, part: WordPart): string[] {
  const separators = readVariable(state, 'IFS')?.value[0] ?? USUAL_SEPARATORS
  const fields = partFields(state, part, false).flatMap((field) => splitText(markGlobs(field), separators))
  spend(state.budget, 'words', fields.length)
  return fields
}

const USUAL_SEPARATORS = ' \t\n'
const USUAL_SPLIT = splitAt(USUAL_SEPARATORS)

function splitAt(separators: string): RegExp {
  return new RegExp(`[${separators.replace(/[\\\]^-]/g, '\\$&')}]+`)
}

function splitText(text: string, separators: string): string[] {
  if (separators === '' || text === '') return text === '' ? [] : [text]
  const pieces = text.split(separators === USUAL_SEPARATORS ? USUAL_SPLIT : splitAt(separators))
  return pieces.length > 1 && pieces.every((piece) => piece === '') ? ['', ''] : pieces
}

/** Expands one part of a word: usually one text, several for arrays. */
function partFields(state: ShellState, part: WordPart, quoted: boolean): readonly string[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value.replaceAll('\0', '')]
    case 'Glob':
      return [quoted ? part.text : globText(state, part)]
    case 'ExtendedGlob':
      return [MARKS.star]
    case 'DoubleQuoted':
    case 'LocaleString':
      return quotedFields(state, part.parts)
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return expandParameter(state, part, { quoted, expandWord, expandText, expandPattern })
    case 'CommandExpansion':
      return [substitute(state, part.script)]
    case 'ArithmeticExpansion':
      return [expandArithmetic(state, part.expression, expandText)]
    case 'ProcessSubstitution':
      return [processFile(state, part)]
    case 'BraceExpansion':
      return [part.text]
  }
}

function quotedFields(state: ShellState, parts: readonly WordPart[]): string[] {
  let fields: string[] = parts.length === 0 ? [''] : []
  for (const part of parts) {
    const [first, ...rest] = partFields(state, part, true)
    if (first === undefined) continue
    fields = [...fields.slice(0, -1), (fields.at(-1) ?? '') + first, ...rest]
  }
  const onlyLists = parts.every((part) => part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion')
  return fields.length === 0 && !onlyLists ? [''] : fields
}

function globText(state: ShellState, part: WordPart & { type: 'Glob' }): string {
  if (part.kind === 'star') return MARKS.star
  if (part.kind === 'question') return MARKS.any
  const members = part.parts.map((inner) => partFields(state, inner, true).join('')).join('')
  return `${MARKS.setOpen}${members.replace(/^\[/, '').replace(/\]$/, '')}${MARKS.setClose}`
}

type ScriptOf = (WordPart & { type: 'CommandExpansion' })['script']

function substitute(state: ShellState, script: ScriptOf): string {
  if (script === undefined) {
    act(state, 'unknown', 'a substitution that cannot be read')
    return MARKS.unknown
  }
  const inner = subshell(state)
  const loneRead = script.commands.length === 1 ? script.commands[0]?.command : undefined
  const output = state.parts.runScript(inner, script, NO_OUTPUT).text.replace(/\n+$/, '')
  const isFileRead = loneRead?.type === 'Command' && loneRead.name === undefined && loneRead.redirects.length > 0
  return isFileRead ? MARKS.unknown : output
}

/** Reads a process substitution: `<(…)` is a file with the command's output, `>(…)` a file that is its input. */
function processFile(state: ShellState, part: WordPart & { type: 'ProcessSubstitution' }): string {
  const { script } = part
  const path = `/dev/fd/${state.files.size + state.sinks.size + 100}`
  if (script === undefined) act(state, 'unknown', 'a substitution that cannot be read')
  else if (part.operator === '<') state.files.set(path, state.parts.runScript(subshell(state), script, NO_OUTPUT).text)
  else {
    const run = (text: string) => state.parts.runScript(subshell(state), script, { text, endless: false })
    state.sinks.set(path, { run, fed: false })
  }
  return path
}

/** Returns the folder of a leading `~`, `~name`, `~+`, `~-` or `~1`. */
export function expandTilde(state: ShellState, text: string): string {
  const match = /^~([^/:]*)/.exec(text)
  if (!match) return text
  const [whole, user = ''] = match
  const { home } = state.location
  const rest = text.slice(whole.length)
  if (user === '' || home.endsWith(`/${user}`)) return (readVariable(state, 'HOME')?.value[0] ?? home) + rest
  if (user === '+') return directory(state) + rest
  if (user === '-') return (readVariable(state, 'OLDPWD')?.value[0] ?? MARKS.unknown) + rest
  if (/^[+-]?\d+$/.test(user)) return (stackedDirectory(state, user) ?? MARKS.unknown) + rest
  return user === 'root' ? `/root${rest}` : `${home.slice(0, home.lastIndexOf('/'))}/${user}${rest}`
}
