import { isErrorCode } from '../../../core/call/codes.ts'
import { messageOf, ToolError } from '../../../core/call/result.ts'
import { isRecord, type JsonSchema } from '../../../core/text/json.ts'
import { isStandardSchema } from '../../../core/tool/parse-standard.ts'
import type { AnySchema } from '../../../core/tool/schema.ts'
import { EFFECTS, type Effect } from '../../../core/tool/tool.ts'
import { connects, deletes, reads, type Touch, writes } from '../../../core/tool/touch.ts'
import type { LoadedTool } from './loaded-tool.ts'

type Spec = Readonly<Record<string, unknown>>
type Run = NonNullable<LoadedTool['execute']>

/** Reads one tool, whichever of the accepted ways it is written in. Throws where it is wrong, saying what was expected. */
export function readTool(given: Spec, exported: Spec): LoadedTool {
  const spec = isRecord(given.function) ? { ...given, ...given.function } : given
  const { name, description, effect } = spec
  if (typeof name !== 'string' || name === '')
    throw new Error(`a tool has no name; expected a text, not ${shown(name)}`)
  const fail = (text: string) => new Error(`tool "${name}" ${text}`)
  if (typeof description !== 'string' || description.trim() === '')
    throw fail('has no description; models choose tools by it')
  if (effect !== undefined && !isEffect(effect))
    throw fail(`has the effect ${shown(effect)}; expected one of ${EFFECTS.join(', ')}`)
  if ('steps' in spec && ('execute' in spec || 'prepare' in spec))
    throw fail('has steps and also execute or prepare; steps take the place of both')
  const made = {
    name,
    description,
    input: readSchema(spec.input ?? spec.inputSchema ?? spec.parameters, 'input', name),
    ...(effect !== undefined && { effect }),
    ...readOptional(spec, name),
    ...('steps' in spec ? {} : { execute: findWork(spec, name, exported) }),
  }
  const output = spec.output ?? spec.outputSchema
  return output === undefined ? made : { ...made, output: readSchema(output, 'output', name) }
}

/** What a tool may say besides, where it has the right type. */
function readOptional(spec: Spec, name: string): Partial<LoadedTool> {
  const approval = spec.approval ?? spec.requiresApproval
  const kinds = {
    approval: ['boolean', 'function'],
    timeout: ['number', 'function'],
    touches: ['function', 'object'],
    prepare: ['function'],
    steps: ['function'],
    main: ['string'],
    aliases: ['object'],
    idempotent: ['boolean'],
    endsRun: ['boolean'],
  }
  const read: Record<string, unknown> = {}
  for (const [member, types] of Object.entries(kinds)) {
    const value = member === 'approval' ? approval : spec[member]
    if (value === undefined) continue
    if (!types.includes(typeof value))
      throw new Error(`tool "${name}" has ${member} as ${typeof value}; expected a ${types.join(' or a ')}`)
    if (member === 'touches' && isRecord(value)) read[member] = readTouches(value, name)
    else read[member] = isFunction(value) ? value.bind(spec) : value
  }
  if (spec.hosts === undefined) return read
  const { hosts } = spec
  const isHost = (host: unknown) => typeof host === 'string' && host !== '' && !host.includes('/')
  if (!Array.isArray(hosts) || !hosts.every(isHost))
    throw new Error(`tool "${name}" has hosts ${shown(hosts)}; expected a list such as ["api.example.com"]`)
  const { touches } = read
  const named = hosts.map((host) => connects(String(host)))
  return {
    ...read,
    touches: async (input) => {
      const touched = isFunction(touches) ? await touches(input) : []
      return Array.isArray(touched) ? [...touched, ...named] : touched
    },
  }
}

/** Touches as data: the parameters that hold paths, hosts or URLs, or lists of them. */
function readTouches(given: Spec, name: string): NonNullable<LoadedTool['touches']> {
  const makers: Readonly<Record<string, (given: string) => Touch>> = {
    ...{ reads, writes, deletes: (path) => deletes(path) },
    connects: (text) => connects(URL.parse(text)?.host || text),
  }
  const declared = Object.entries(given).map(([kind, parameters]) => {
    const make = makers[kind]
    if (make === undefined || !Array.isArray(parameters))
      throw new Error(
        `tool "${name}" has touches ${shown(given)}; expected a function, or { reads: [], writes: [], deletes: [], connects: [] } with names of parameters`,
      )
    return { make, parameters: parameters.map(String) }
  })
  return (input) =>
    declared.flatMap(({ make, parameters }) => {
      const held = parameters.flatMap((parameter) => (isRecord(input) ? input[parameter] : undefined))
      return held.filter((path) => typeof path === 'string').map(make)
    })
}

/** A schema and how a tool names it. Throws where it is none. */
function readSchema(given: unknown, use: 'input' | 'output', name: string): AnySchema {
  if (isRecord(given) || typeof given === 'function') return given as AnySchema
  throw new Error(
    `tool "${name}" has no ${use} schema; expected a JSON Schema such as {"type":"object","properties":{}}, or a Zod schema`,
  )
}

/** The function that does the work, with results in the form of the tool's kind. */
function findWork(spec: Spec, name: string, exported: Spec): Run {
  const { execute, handler } = spec
  if (isFunction(execute)) {
    const run: Run = execute.bind(spec)
    return 'inputSchema' in spec ? unwrapResult(run, name) : run
  }
  if (isFunction(handler)) return handler.bind(spec)
  const named = exported[typeof handler === 'string' ? handler : (name.split(':').at(-1) ?? name)]
  if (handler === undefined || typeof handler === 'string') if (isFunction(named)) return (...given) => named(...given)
  throw new Error(
    typeof handler === 'string'
      ? `tool "${name}" names the handler ${JSON.stringify(handler)}, but the file exports no such function`
      : `tool "${name}" has neither execute nor handler, and the file exports no function ${name}`,
  )
}

/** Results of the form `{ok: true, value}` and `{ok: false, error: {code, message, details?}}` as ours. */
function unwrapResult(run: Run, name: string): Run {
  return async (input, context) => {
    const result = await run(input, context)
    if (!isRecord(result) || typeof result.ok !== 'boolean') return result
    if (result.ok) return result.value
    const { code, message, details } = isRecord(result.error) ? result.error : { message: result.error }
    const text = typeof message === 'string' && message !== '' ? message : `${name} failed: ${messageOf(message)}`
    const own = isErrorCode(code) || code === undefined ? {} : { code }
    const all = { ...own, ...(isRecord(details) && details) }
    const extras = Object.keys(all).length > 0 ? { details: all } : {}
    throw new ToolError(isErrorCode(code) ? code : 'EXECUTION_ERROR', text, extras)
  }
}

/** A schema as JSON Schema, and the library that has the last word where there is one. Throws where it cannot be written so. */
export function describeSchema(
  schema: AnySchema,
  use: 'input' | 'output',
  name: string,
): { readonly json: JsonSchema; readonly vendor?: string } {
  if (!isStandardSchema(schema)) return { json: schema }
  const { vendor } = schema['~standard']
  const maker: unknown = 'jsonSchema' in schema['~standard'] ? schema['~standard'].jsonSchema : undefined
  if (!isRecord(maker) || !isFunction(maker.input))
    throw new Error(
      `the ${use} schema of tool "${name}" cannot be written as JSON Schema: this version of ${vendor} does not implement Standard JSON Schema. Use zod 4, objectSchema({…}) or plain JSON Schema.`,
    )
  try {
    const json: unknown = maker.input({ target: 'draft-2020-12' })
    if (isRecord(json)) return { json, vendor }
  } catch (thrown) {
    throw new Error(`the ${use} schema of tool "${name}" cannot be written as JSON Schema: ${messageOf(thrown)}`)
  }
  throw new Error(`the ${use} schema of tool "${name}" gave no JSON Schema`)
}

function isFunction(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === 'function'
}

function isEffect(value: unknown): value is Effect {
  return EFFECTS.some((effect) => effect === value)
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
