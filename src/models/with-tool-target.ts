import type { Model, ModelCall, ModelMessage, ModelReply, ModelRequest, ToolDefinition } from '../core/ports/model.ts'
import { compileFor } from '../core/schema-targets/compile-for.ts'
import { nameFor } from '../core/schema-targets/name-for.ts'
import { restoreArguments } from '../core/schema-targets/restore-arguments.ts'
import type { CompiledSchema, TargetName } from '../core/schema-targets/target.ts'
import { isRecord } from '../core/text/json.ts'
import type { LearnedAbilities } from './abilities/ability-cache.ts'
import { fitDefinitions, type SendTools } from './fit-definitions.ts'
import { parseJson } from './parse-json.ts'

/** A tool as a wire sends it. */
export interface WireTool extends ToolDefinition {
  /** Whether the model must follow the schema exactly; absent where the protocol is not asked for it. */
  readonly strict?: boolean
}

/** A tool that is offered, by both its names. */
interface OfferedTool extends Pick<CompiledSchema, 'addedNulls'> {
  readonly given: ToolDefinition
  readonly sent: WireTool
  /** True where the schema that is sent accepts other calls than the one that was given. */
  readonly isSimplified: boolean
}

/**
 * A model that is sent names and schemas of tools in the form its protocol takes, in the tools as in the history, and whose calls come back by the names and in the form that were given.
 * What the protocol cannot express is still checked by the pipeline; the reply names the tools, and `haft tools --report` lists what is missing.
 */
export function withToolTarget(model: Model, target: TargetName, learned?: LearnedAbilities): Model {
  const send: SendTools = async function* (request, form) {
    const offered = offerTools(request.tools, form)
    for await (const part of model.stream(writeRequest(request, offered))) {
      if (part.type !== 'reply') yield part
      else yield { type: 'reply', reply: writeReply(part.reply, offered) }
    }
  }
  return {
    name: model.name,
    abilities: () => model.abilities(),
    stream: (request) =>
      request.tools.length === 0 ? send(request, target) : fitDefinitions(request, { model, target, learned, send }),
  }
}

function writeReply(reply: ModelReply, offered: readonly OfferedTool[]): ModelReply {
  const simplified = offered.filter((tool) => tool.isSimplified).map(({ given }) => given.name)
  return {
    ...reply,
    calls: restoreCalls(reply.calls, offered),
    ...(simplified.length > 0 && { simplified }),
  }
}

function offerTools(tools: readonly ToolDefinition[], target: TargetName): readonly OfferedTool[] {
  const names = nameFor(
    tools.map(({ name }) => name),
    target,
  )
  return tools.map((given, at) => {
    const { schema, addedNulls, losses, strict } = compileTool(given, target)
    const { name, description } = given
    return {
      given,
      addedNulls,
      isSimplified: losses.some(({ effect }) => effect !== 'note'),
      sent: { name: names[at] ?? name, description, parameters: schema, ...(strict !== undefined && { strict }) },
    }
  })
}

/** A schema that strict mode cannot express is sent without it, for this tool alone. */
function compileTool({ parameters }: ToolDefinition, target: TargetName): CompiledSchema & { strict?: boolean } {
  const compiled = compileFor(parameters, target)
  if (target !== 'openai-strict') return compiled
  return compiled.refused.length === 0
    ? { ...compiled, strict: true }
    : { ...compileFor(parameters, 'openai'), strict: false }
}

function writeRequest(request: ModelRequest, offered: readonly OfferedTool[]): ModelRequest {
  const names = new Map(offered.map(({ given, sent }) => [given.name, sent.name]))
  const nameOf = (name: string) => names.get(name) ?? name
  const isRenamed = offered.some(({ given, sent }) => given.name !== sent.name)
  return {
    ...request,
    tools: offered.map(({ sent }) => sent),
    messages: isRenamed ? request.messages.map((message) => renameTools(message, nameOf)) : request.messages,
  }
}

function renameTools(message: ModelMessage, nameOf: (name: string) => string): ModelMessage {
  if (message.role === 'tool') return { ...message, name: nameOf(message.name) }
  if (message.calls === undefined) return message
  return { ...message, calls: message.calls.map((call) => ({ ...call, name: nameOf(call.name) })) }
}

function restoreCalls(calls: readonly ModelCall[], offered: readonly OfferedTool[]): readonly ModelCall[] {
  const byName = new Map(offered.map((tool) => [tool.sent.name, tool]))
  return calls.map((call) => {
    const tool = byName.get(call.name)
    if (tool === undefined) return call
    return { ...call, name: tool.given.name, arguments: dropAddedNulls(call.arguments, tool) }
  })
}

/** Arguments that are no JSON object stay as they came: the pipeline repairs them. */
function dropAddedNulls(given: unknown, { addedNulls }: OfferedTool): unknown {
  if (addedNulls.length === 0) return given
  const read = typeof given === 'string' ? parseJson(given) : given
  return isRecord(read) ? restoreArguments(read, addedNulls) : given
}
