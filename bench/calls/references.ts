import type { ValidateFunction } from 'ajv'
import type { Contestant } from '../lib/contestant.ts'
import { ARGUMENTS, type EchoArguments, echo, echoSchema } from '../lib/echo-tool.ts'
import type { Caller } from '../lib/serve-orders.ts'
import { REFERENCE_CALL, REFERENCE_PIPELINE } from './names.ts'

interface ReferenceTool {
  readonly run: typeof echo
  readonly validate: ValidateFunction
}

/** The baselines of the gates: the least code that does what a call must do. */
export const references: readonly Contestant<Caller>[] = [
  { name: REFERENCE_CALL, start: startReferenceCall },
  { name: REFERENCE_PIPELINE, start: startReferencePipeline },
]

async function makeTools(): Promise<{ tools: Map<string, ReferenceTool>; names: string[] }> {
  const { Ajv } = await import('ajv')
  const validate = new Ajv().compile(echoSchema())
  const tools = new Map(Array.from({ length: 1000 }, (_, i) => [`t${i}`, { run: echo, validate }]))
  return { tools, names: [...tools.keys()] }
}

/** Like for like with the libraries' `tool.invoke`: look up, validate an object, run under try, wrap the result. */
async function startReferenceCall(): Promise<Caller> {
  const { tools, names } = await makeTools()
  const call = async (name: string, input: EchoArguments) => {
    const tool = tools.get(name)
    if (!tool) return { ok: false, error: { code: 'NOT_FOUND' } }
    if (!tool.validate(input)) return { ok: false, error: { code: 'INVALID', details: tool.validate.errors } }
    try {
      return { ok: true, value: await tool.run(input) }
    } catch (thrown) {
      return { ok: false, error: { code: 'EXECUTION_ERROR', message: String(thrown) } }
    }
  }
  return { call: (i) => call(names[i % 1000] ?? '', ARGUMENTS) }
}

/** What a whole call must do at the least: read JSON text, look up, validate, ten rules, run under try with timing, wrap, tell one listener. */
async function startReferencePipeline(): Promise<Caller> {
  const { tools, names } = await makeTools()
  const text = JSON.stringify(ARGUMENTS)
  const heard = { events: 0 }
  const listener = (event: { name: string; ms: number }) => {
    heard.events += event.ms >= 0 ? 1 : 0
  }
  const rules = Array.from({ length: 10 }, (_, i) => {
    const forbidden = new RegExp(`rm -rf ${i}|mkfs\\.${i}`)
    return (_name: string, input: EchoArguments) => !forbidden.test(input.text)
  })
  const call = async (name: string, json: string) => {
    const tool = tools.get(name)
    if (!tool) return { ok: false, error: { code: 'NOT_FOUND' } }
    let input: EchoArguments
    try {
      input = JSON.parse(json)
    } catch {
      return { ok: false, error: { code: 'BAD_JSON' } }
    }
    if (!tool.validate(input)) return { ok: false, error: { code: 'INVALID' } }
    for (const rule of rules) if (!rule(name, input)) return { ok: false, error: { code: 'DENIED' } }
    const started = performance.now()
    try {
      const value = await tool.run(input)
      const result = { ok: true, value, text: JSON.stringify(value) }
      listener({ name, ms: performance.now() - started })
      return result
    } catch (thrown) {
      return { ok: false, error: { code: 'EXECUTION_ERROR', message: String(thrown) } }
    }
  }
  return { call: (i) => call(names[i % 1000] ?? '', text) }
}
