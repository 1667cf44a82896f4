import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import type { InputAnswer, InputQuestion } from '../../core/input/input.ts'
import { isSafePage } from '../../core/network/web-url.ts'
import { isRecord } from '../../core/text/json.ts'
import { printable } from '../../core/text/printable.ts'
import { bounded } from './bounded.ts'

/** Asks the person one question. */
export type AskPerson = (question: InputQuestion) => Promise<InputAnswer>

const DECLINE = 'Decline'
const ACCEPT = 'Accept'
const SKIP = 'Leave empty'

/** How often a question is asked again after an answer that does not fit. */
const MAX_TRIES = 3
/** The most fields of a form that a person is asked for. */
const MAX_FIELDS = 20

type Content = NonNullable<ElicitResult['content']>
type Value = Content[string]

/** Asks the person what a server wants to know, one question a field. The questions name the server, since what it writes is not to be trusted. */
export async function elicit(server: string, params: ElicitRequestParams, ask: AskPerson): Promise<ElicitResult> {
  const head = `The MCP server ${server} asks: ${printable(bounded(params.message))}`
  if ('url' in params) {
    // Any other address could start a program when a person opens it.
    if (!isSafePage(params.url)) return { action: 'decline' }
    const question = `${head}\nIt wants you to open ${printable(bounded(params.url))}\nOpen it yourself if you trust it; Haft does not.`
    return toResult(await ask({ question, options: ['Done', DECLINE] }))
  }
  const { properties, required = [] } = params.requestedSchema
  const fields = Object.entries(properties)
  if (fields.length === 0) return toResult(await ask({ question: head, options: [ACCEPT, DECLINE] }))
  if (fields.length > MAX_FIELDS) return { action: 'cancel' }
  const content: Content = {}
  for (const [name, schema] of fields) {
    const field = { name, schema: isRecord(schema) ? schema : {}, isRequired: required.includes(name) }
    const given = await askField(head, field, ask)
    if ('action' in given) return given
    if (given.value !== undefined) content[name] = given.value
  }
  return { action: 'accept', content }
}

function toResult(answer: InputAnswer): ElicitResult {
  if (!answer.answered) return { action: 'cancel' }
  return isDecline(answer.answer) ? { action: 'decline' } : { action: 'accept', content: {} }
}

function isDecline(answer: string): boolean {
  return answer.trim().toLowerCase() === DECLINE.toLowerCase()
}

interface Field {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly isRequired: boolean
}

type Given = { readonly value: Value | undefined } | { readonly action: 'decline' | 'cancel' }

async function askField(head: string, field: Field, ask: AskPerson): Promise<Given> {
  const { choices, hint, usual } = describeField(field)
  const options = [...choices.keys(), ...(field.isRequired ? [] : [SKIP]), DECLINE]
  let problem = ''
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await ask({ question: [head, hint, problem].filter(Boolean).join('\n'), options })
    if (!answer.answered) return { action: 'cancel' }
    if (isDecline(answer.answer)) return { action: 'decline' }
    const isEmpty = answer.answer.trim() === ''
    if (isEmpty && usual !== undefined) return { value: usual }
    if (!field.isRequired && (isEmpty || answer.answer === SKIP)) return { value: undefined }
    const read = readValue(answer.answer, field.schema, choices)
    if ('value' in read) return read
    problem = `${JSON.stringify(answer.answer)} does not fit: ${read.problem}.`
  }
  return { action: 'cancel' }
}

interface FieldText {
  readonly hint: string
  /** What a person may choose, with the value of each. */
  readonly choices: ReadonlyMap<string, Value>
  /** What an empty answer means. */
  readonly usual: Value | undefined
}

function describeField({ name, schema, isRequired }: Field): FieldText {
  const title = typeof schema.title === 'string' && schema.title !== name ? `${schema.title} (${name})` : name
  const about = typeof schema.description === 'string' ? `: ${schema.description}` : ''
  const kind = kindOf(schema)
  const usual = defaultOf(schema)
  const empty = usual === undefined ? '' : `, empty for ${JSON.stringify(usual)}`
  const hint = printable(bounded(`${title}${about} [${kind}${isRequired ? '' : ', optional'}${empty}]`))
  return { hint, choices: choicesOf(schema), usual }
}

/** The value that the server gives for a field that is left empty; undefined where it is not of the type of the field. */
function defaultOf({ type, default: given }: Field['schema']): Value | undefined {
  if (type === 'array') return Array.isArray(given) && given.every((one) => typeof one === 'string') ? given : undefined
  if (type === 'integer') return typeof given === 'number' && Number.isInteger(given) ? given : undefined
  if (type === 'number') return typeof given === 'number' ? given : undefined
  if (type === 'boolean') return typeof given === 'boolean' ? given : undefined
  return typeof given === 'string' ? given : undefined
}

function kindOf({ type, format }: Field['schema']): string {
  if (type === 'array') return 'some of these, separated by commas'
  if (type === 'boolean') return 'yes or no'
  return typeof format === 'string' ? format : String(type ?? 'text')
}

function choicesOf(schema: Field['schema']): ReadonlyMap<string, Value> {
  if (schema.type === 'boolean') return new Map([['yes', true] as const, ['no', false] as const])
  const source = isRecord(schema.items) ? schema.items : schema
  const titled = [source.oneOf, source.anyOf].flatMap((list) => (Array.isArray(list) ? list : []))
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
  const plain = Array.isArray(source.enum) ? source.enum : []
  return new Map([
    ...titled.flatMap((one: unknown): [string, string][] =>
      isRecord(one) && typeof one.const === 'string' ? [[String(one.title ?? one.const), one.const]] : [],
    ),
    ...plain.map((one: unknown, index): [string, string] => [String(names[index] ?? one), String(one)]),
  ])
}

type Read = { readonly value: Value } | { readonly problem: string }

/** Reads an answer as the value of a field. */
function readValue(answer: string, schema: Field['schema'], choices: ReadonlyMap<string, Value>): Read {
  const text = answer.trim()
  const choose = (one: string): Value | undefined => choices.get(one) ?? [...choices.values()].find((v) => v === one)
  if (schema.type === 'array') {
    const chosen = text.split(',').map((one) => choose(one.trim()))
    const values = chosen.filter((one) => typeof one === 'string')
    return values.length === chosen.length
      ? { value: values }
      : { problem: `choose from ${[...choices.keys()].join(', ')}` }
  }
  if (choices.size > 0) {
    const value = choose(text) ?? (schema.type === 'boolean' ? readYes(text) : undefined)
    return value === undefined ? { problem: `choose one of ${[...choices.keys()].join(', ')}` } : { value }
  }
  if (schema.type === 'number' || schema.type === 'integer') return readNumber(text, schema)
  const { minLength, maxLength } = schema
  if (typeof minLength === 'number' && answer.length < minLength) return { problem: `at least ${minLength} characters` }
  if (typeof maxLength === 'number' && answer.length > maxLength) return { problem: `at most ${maxLength} characters` }
  return { value: answer }
}

function readYes(text: string): boolean | undefined {
  if (/^(y|yes|true)$/i.test(text)) return true
  return /^(n|no|false)$/i.test(text) ? false : undefined
}

function readNumber(text: string, { type, minimum, maximum }: Field['schema']): Read {
  const value = text === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value)))
    return { problem: type === 'integer' ? 'a whole number is expected' : 'a number is expected' }
  if (typeof minimum === 'number' && value < minimum) return { problem: `at least ${minimum}` }
  if (typeof maximum === 'number' && value > maximum) return { problem: `at most ${maximum}` }
  return { value }
}
