import type { Model, ModelCall, ModelPart, ModelReply, ModelRequest, ToolDefinition } from '../core/ports/model.ts'
import { describeToolsIn } from './describe-tools.ts'

/** What a text of a model held. */
export interface TextReading {
  readonly calls: readonly ModelCall[]
  /** The text without the calls and the reasoning in it. */
  readonly text: string
  readonly reasoning?: string
  /** True where the text ends in the middle of a call. */
  readonly isIncomplete: boolean
  readonly repairs: readonly string[]
}

/** Reads the calls that a model printed as text. */
export type TextReader = (text: string, tools: readonly ToolDefinition[]) => TextReading

/** A model whose calls are also read where it prints them as text, and whose tools are described in the prompt where it has no native ones. */
export function withTextCalls(model: Model, readText: TextReader): Model {
  return {
    name: model.name,
    abilities: () => model.abilities(),
    async *stream(request) {
      for await (const part of ask(model, request))
        yield part.type === 'reply' ? { type: 'reply', reply: readReply(part.reply, request.tools, readText) } : part
    },
  }
}

/** Asks a model; one that turns out to take no tools is asked once more with the tools in the prompt. */
async function* ask(model: Model, request: ModelRequest): AsyncGenerator<ModelPart> {
  const lacksTools = async () => request.tools.length > 0 && (await model.abilities()).nativeCalls === false
  if (await lacksTools()) return yield* model.stream(describeToolsIn(request))
  let hasBegun = false
  try {
    for await (const part of model.stream(request)) {
      hasBegun ||= part.type !== 'retry'
      yield part
    }
  } catch (thrown) {
    if (hasBegun || request.signal.aborted || !(await lacksTools())) throw thrown
    yield* model.stream(describeToolsIn(request))
  }
}

function readReply(reply: ModelReply, tools: readonly ToolDefinition[], readText: TextReader): ModelReply {
  if (reply.calls.length > 0 || reply.text === '') return reply
  const { calls, text, reasoning, isIncomplete, repairs } = readText(reply.text, tools)
  const thoughts = [reply.reasoning, reasoning].filter((one) => one !== undefined && one !== '').join('\n')
  const printed =
    calls.length === 0 ? [] : [`${calls.length === 1 ? 'A call was' : `${calls.length} calls were`} printed as text.`]
  const isCut = isIncomplete || reply.finish === 'length'
  return {
    ...reply,
    text,
    ...(thoughts !== '' && { reasoning: thoughts }),
    calls,
    finish: isCut ? 'length' : calls.length > 0 ? 'calls' : reply.finish,
    repairs: [...reply.repairs, ...printed, ...repairs],
  }
}
