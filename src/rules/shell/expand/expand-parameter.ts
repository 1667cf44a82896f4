import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from 'unbash'
import { globExpression, isConstant, isOpen, MARKS } from '../marks.ts'
import { spend } from '../shell-budget.ts'
import { act, assign, directoryStack, isZsh, readVariable, type ShellState } from '../shell-state.ts'
import { unescapeText } from './format-text.ts'
import { readArithmetic, readExpansions } from './read-expansions.ts'

/** How the caller expands the words inside `${…}`. */
export interface WordExpansion {
  readonly quoted: boolean
  expandWord(state: ShellState, word: Word): string[]
  expandText(state: ShellState, word: Word): string
  expandPattern(state: ShellState, word: Word): string
}

const NUMBERS = new Set([
  '?',
  '$',
  '!',
  '#',
  'RANDOM',
  'SRANDOM',
  'UID',
  'EUID',
  'PPID',
  'SECONDS',
  'LINENO',
  'BASHPID',
])
const SECRET_NAME = /SECRET|TOKEN|PASSW|API_?KEY|CREDENTIAL|PRIVATE_?KEY|ACCESS_?KEY/i

/** Returns the fields of `$x` or `${x…}`; empty for an empty list. An unset variable is marked as such. */
export function expandParameter(
  state: ShellState,
  part: SimpleExpansionPart | ParameterExpansionPart,
  words: WordExpansion,
): readonly string[] {
  if (part.type === 'SimpleExpansion') return plainFields(state, part.text.slice(1), words.quoted)
  const index = part.index === undefined ? undefined : words.expandText(state, part.index)
  if (index !== undefined) readArithmetic(state, index)
  const name = part.parameter
  if (part.prefix === '#') return [lengthOf(state, name)]
  if (part.prefix === '!') return indirectFields(state, part, words.quoted)
  if (part.operation === undefined && index === undefined) return plainFields(state, name, words.quoted)
  const fields = index === undefined ? givenFields(state, name) : indexedFields(state, name, index)
  const shaped = part.operation ? operate(state, { part, operation: part.operation, fields }, words) : fields
  if (shaped === undefined) return [unsetText(state, name)]
  return index === '*' && words.quoted ? [shaped.join(' ')] : shaped
}

function plainFields(state: ShellState, name: string, quoted: boolean): readonly string[] {
  const fields = givenFields(state, name)
  if (fields === undefined) return [unsetText(state, name)]
  return name === '*' && quoted ? [fields.join(' ')] : fields
}

/** Returns the value of a name, or undefined when nothing here sets it. */
function givenFields(state: ShellState, name: string): readonly string[] | undefined {
  const positional = readVariable(state, '@')?.value ?? []
  if (name === '@' || name === '*') return positional
  if (name === '#') return [String(positional.length)]
  if (/^[1-9]\d*$/.test(name)) {
    const value = positional[Number(name) - 1]
    return [value ?? (isOpen(positional.join('')) ? MARKS.unknown : '')]
  }
  const variable = readVariable(state, name)
  if (variable !== undefined) return variable.array && !isZsh(state) ? variable.value.slice(0, 1) : variable.value
  if (name === 'DIRSTACK') return directoryStack(state).slice(0, 1)
  // The last background job was started by this command line.
  if (name === '!') return ['%!']
  return NUMBERS.has(name) || name === '-' ? [MARKS.star] : undefined
}

function indexedFields(state: ShellState, name: string, index: string): readonly string[] | undefined {
  const variable = name === 'DIRSTACK' ? { value: directoryStack(state), array: true } : readVariable(state, name)
  if (variable === undefined || index === '@' || index === '*') return variable?.value
  const position = numberIn(state, index)
  if (position !== undefined) return [isZsh(state) ? MARKS.unknown : (variable.value.at(position) ?? '')]
  return variable.value.length === 1 ? variable.value : [MARKS.hidden]
}

function unsetText(state: ShellState, name: string): string {
  if (/^HAFT_/.test(name)) act(state, 'haft', `$${name}`)
  else if (SECRET_NAME.test(name)) act(state, 'secret-variable', `$${name}`)
  return MARKS.unset
}

function lengthOf(state: ShellState, name: string): string {
  if (name === '@' || name === '*') return String(readVariable(state, '@')?.value.length ?? 0)
  const text = readVariable(state, name)?.value[0]
  return text !== undefined && isConstant(text) ? String(text.length) : MARKS.unknown
}

function indirectFields(state: ShellState, part: ParameterExpansionPart, quoted: boolean): readonly string[] {
  const target = readVariable(state, part.parameter)?.value[0]
  if (target !== undefined) readExpansions(state, target)
  if (target === undefined || !/^\w+$/.test(target)) return [MARKS.unknown]
  return part.operation === undefined ? plainFields(state, target, quoted) : [MARKS.unknown]
}

interface Operated {
  readonly part: ParameterExpansionPart
  readonly operation: ParameterOperation
  readonly fields: readonly string[] | undefined
}

function operate(state: ShellState, operated: Operated, words: WordExpansion): readonly string[] | undefined {
  const { operation, fields, part } = operated
  switch (operation.type) {
    case 'Default':
      return defaultFields(state, { part, operation, fields }, words)
    case 'Slice':
      return slice(state, { part, operation, fields }, words)
    case 'Remove': {
      const pattern = words.expandPattern(state, operation.operand)
      for (const field of fields ?? []) spend(state.budget, 'characters', field.length * 20)
      return fields?.map((field) => remove(field, operation.operator, pattern))
    }
    case 'Replace': {
      const pattern = words.expandPattern(state, operation.pattern)
      const replacement = words.expandText(state, operation.replacement)
      return fields?.map((field) => replace(field, { operator: operation.operator, pattern, replacement }))
    }
    case 'CaseModification': {
      const pattern = operation.operand && words.expandPattern(state, operation.operand)
      return fields?.map((field) => (pattern ? MARKS.unknown : changeCase(field, operation.operator)))
    }
    case 'Transform':
      return fields?.map((field) => transform(state, field, words.expandText(state, operation.operand)))
    default:
      return [MARKS.unknown]
  }
}

type With<Kind extends ParameterOperation['type']> = Operated & { operation: ParameterOperation & { type: Kind } }

function defaultFields(
  state: ShellState,
  operated: With<'Default'>,
  words: WordExpansion,
): readonly string[] | undefined {
  const { fields, operation, part } = operated
  const { operator } = operation
  const expand = () =>
    words.quoted ? [words.expandText(state, operation.operand)] : words.expandWord(state, operation.operand)
  const isEmpty = fields === undefined || (operator.startsWith(':') && fields.join('') === '')
  if (operator.endsWith('+')) return isEmpty ? mayBe(fields, expand()) : expand()
  if (operator.endsWith('?')) {
    expand()
    return isEmpty ? [MARKS.unknown] : fields
  }
  if (!isEmpty) {
    expand()
    return fields
  }
  const value = expand()
  if (operator.endsWith('=')) assign(state, part.parameter, [value.join(' ')])
  return mayBe(fields, value)
}

/** Marks a default value: the environment may set the variable. */
function mayBe(fields: readonly string[] | undefined, value: readonly string[]): readonly string[] {
  if (fields !== undefined) return value
  const [first = '', ...rest] = value
  return [first + MARKS.maybe, ...rest]
}

function slice(state: ShellState, operated: With<'Slice'>, words: WordExpansion): readonly string[] | undefined {
  const { operation, fields, part } = operated
  const offsetText = words.expandText(state, operation.offset).trim()
  const lengthText = operation.length && words.expandText(state, operation.length).trim()
  for (const text of [offsetText, lengthText ?? '']) readArithmetic(state, text)
  if (fields === undefined) return undefined
  const from = numberIn(state, offsetText)
  const length = lengthText === undefined ? undefined : numberIn(state, lengthText)
  if (from === undefined || (lengthText !== undefined && length === undefined)) return [MARKS.unknown]
  const end = (start: number) => (length === undefined ? undefined : length < 0 ? length : start + length)
  if (part.parameter === '@' || part.parameter === '*') return ['bash', ...fields].slice(from, end(from))
  if (part.index !== undefined && fields.length !== 1) return fields.slice(from, end(from))
  return fields.map((field) => {
    const start = from < 0 ? Math.max(0, field.length + from) : from
    return isConstant(field) ? field.slice(start, end(start)) : MARKS.unknown
  })
}

function numberIn(state: ShellState, text: string): number | undefined {
  if (text === '') return 0
  const value = /^[A-Za-z_]\w*$/.test(text) ? readVariable(state, text)?.value[0] : text
  return value !== undefined && /^-?\d+$/.test(value) ? Number(value) : undefined
}

function remove(field: string, operator: '#' | '##' | '%' | '%%', pattern: string): string {
  if (!isConstant(field) || isOpen(pattern)) return MARKS.unknown
  if (field.length > 500) return MARKS.hidden
  const expression = anyExpression(pattern)
  const lengths = Array.from({ length: field.length + 1 }, (_, index) => index)
  if (operator === '##' || operator === '%%') lengths.reverse()
  const atStart = operator.startsWith('#')
  for (const length of lengths) {
    const piece = atStart ? field.slice(0, length) : field.slice(field.length - length)
    if (expression.test(piece)) return atStart ? field.slice(length) : field.slice(0, field.length - length)
  }
  return field
}

/** In patterns of `${x#…}`, `*` matches slashes, unlike in file names. */
function anyExpression(pattern: string): RegExp {
  const { source } = globExpression(pattern)
  return new RegExp(source.replaceAll('(?!\\.)', '').replaceAll('[^/]', '.').replaceAll('[^/.]', '.'), 's')
}

interface Replacement {
  readonly operator: string
  readonly pattern: string
  readonly replacement: string
}

function replace(field: string, { operator, pattern, replacement }: Replacement): string {
  if (!isConstant(field) || !isConstant(pattern)) return MARKS.unknown
  if (field.length > 500) return MARKS.hidden
  const body = anyExpression(pattern).source.slice(1, -1)
  if (body === '') return field
  const anchored = operator === '/#' ? `^${body}` : operator === '/%' ? `${body}$` : body
  return field.replace(new RegExp(anchored, operator === '//' ? 'gs' : 's'), () => replacement)
}

function changeCase(field: string, operator: '^' | '^^' | ',' | ',,'): string {
  if (operator === '^^') return field.toUpperCase()
  if (operator === ',,') return field.toLowerCase()
  const first = field.charAt(0)
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + field.slice(1)
}

function transform(state: ShellState, field: string, operator: string): string {
  if (operator === 'U') return field.toUpperCase()
  if (operator === 'L') return field.toLowerCase()
  if (operator === 'P') readExpansions(state, field)
  if (operator === 'E' && isConstant(field)) return unescapeText(field)
  return operator === 'P' || operator === 'E' ? MARKS.unknown : field
}
