import { createHash } from 'node:crypto'
import type { Model, ModelPart, ModelRequest, ToolDefinition } from '../core/ports/model.ts'
import type { TargetName } from '../core/schema-targets/target.ts'
import type { LearnedAbilities } from './abilities/ability-cache.ts'
import { blamesTools } from './abilities/learn-from-reply.ts'
import { StatusError } from './http/http-errors.ts'
import { untilCancelled } from './until-cancelled.ts'

/** Sends a request with tools written for a target. */
export type SendTools = (request: ModelRequest, target: TargetName) => AsyncIterable<ModelPart>

/** What definitions are fitted with. */
export interface Fitting {
  readonly model: Pick<Model, 'abilities'>
  readonly target: TargetName
  readonly learned: LearnedAbilities | undefined
  readonly send: SendTools
}

/** The form with the fewest keywords. */
const PLAINEST: TargetName = 'llama.cpp'

/**
 * Sends a request in the form of definitions that its server takes. A refusal that may be due to a definition is answered by the plainest
 * form, and then by a search for the tool that is refused, which halves the tools with each request: that tool is left out and remembered.
 * Where it is not one tool, none is sent natively from then on. Nothing is sent again once a reply has begun.
 */
export async function* fitDefinitions(request: ModelRequest, fitting: Fitting): AsyncGenerator<ModelPart> {
  const { model, target, learned, send } = fitting
  const known = (await untilCancelled(model.abilities(), request.signal)) ?? {}
  const tools = request.tools.filter((tool) => !known.refusedTools?.includes(digestOf(tool)))
  const attempt = (offered: readonly ToolDefinition[], form: TargetName) =>
    untilRefused(markLeftOut(send({ ...request, tools: offered }, form), request.tools, offered), fitting)
  const form = known.grammar ? PLAINEST : target
  let refusal = yield* attempt(tools, form)
  if (refusal === undefined) return
  if (form !== PLAINEST) {
    yield again(refusal, 'The limits are left out of the definitions of the tools.')
    refusal = yield* attempt(tools, PLAINEST)
    if (refusal === undefined) return void learned?.learn({ grammar: true }, 'replies')
  }
  const { tool, isProved } = await findRefused(tools, (some) => isRefused({ ...request, tools: some }, fitting))
  if (tool === undefined) throw refusal
  const what = isProved ? `It refuses the definition of the tool ${tool.name}` : `It may refuse the tool ${tool.name}`
  yield again(refusal, `${what}, which is left out.`)
  const others = tools.filter((one) => one !== tool)
  const last = yield* attempt(others, PLAINEST)
  if (last === undefined) {
    const refusedTools = [...(known.refusedTools ?? []), digestOf(tool)]
    return void learned?.learn({ grammar: true, refusedTools }, 'replies')
  }
  if (isProved) learned?.learn({ nativeCalls: false }, 'replies')
  throw last
}

function again({ message }: StatusError, what: string): ModelPart {
  return { type: 'retry', reason: `${message} ${what}`, seconds: 0 }
}

/** Hands on what arrives. Returns the refusal of a request with tools that may be due to their definitions; throws everything else. */
async function* untilRefused(
  parts: AsyncIterable<ModelPart>,
  { model }: Pick<Fitting, 'model'>,
): AsyncGenerator<ModelPart, StatusError | undefined> {
  try {
    yield* parts
  } catch (thrown) {
    // A status comes before any piece of a reply.
    const isBlamed = thrown instanceof StatusError && blamesTools(thrown)
    if (!isBlamed || (await model.abilities()).nativeCalls === false) throw thrown
    return thrown
  }
}

/** Finds the tool that a server refuses by halving the tools. It is proved where a half was refused; else the server may refuse something other than a tool. */
async function findRefused(
  tools: readonly ToolDefinition[],
  refuses: (some: readonly ToolDefinition[]) => Promise<boolean>,
): Promise<{ readonly tool: ToolDefinition | undefined; readonly isProved: boolean }> {
  let suspects = tools
  let isProved = tools.length === 1
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2))
    const isInHalf = await refuses(half)
    suspects = isInHalf ? half : suspects.slice(half.length)
    isProved ||= isInHalf
  }
  return { tool: suspects[0], isProved }
}

/** True where a short message with these tools is refused. Where it is taken, the request is given up before its reply is read. */
async function isRefused(request: ModelRequest, fitting: Fitting): Promise<boolean> {
  const messages = [{ role: 'user', content: 'Hello' }] as const
  const parts = untilRefused(fitting.send({ ...request, messages, maxOutput: 1 }, PLAINEST), fitting)
  for (;;) {
    const { done, value } = await parts.next()
    if (done) return value !== undefined
    if (value.type === 'retry') continue
    await parts.return(undefined)
    return false
  }
}

/** Names the tools that were not sent in the reply. */
async function* markLeftOut(
  parts: AsyncIterable<ModelPart>,
  all: readonly ToolDefinition[],
  sent: readonly ToolDefinition[],
): AsyncGenerator<ModelPart> {
  const leftOut = all.filter((tool) => !sent.includes(tool)).map(({ name }) => name)
  for await (const part of parts)
    yield part.type === 'reply' && leftOut.length > 0 ? { ...part, reply: { ...part.reply, leftOut } } : part
}

/** The name of a tool and a digest of its definition, so that a definition that was changed is sent again. */
function digestOf({ name, parameters }: ToolDefinition): string {
  return `${name} ${createHash('sha256').update(JSON.stringify(parameters)).digest('hex').slice(0, 12)}`
}
