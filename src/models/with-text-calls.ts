import type { Model, ModelCall, ModelPart, ModelReply, ModelRequest, ToolDefinition } from '../core/ports/model.ts'
import { describeToolsIn } from './describe-tools.ts'
import { untilCancelled } from './until-cancelled.ts'

/** What a text of a model held. */
export interface TextReading {
  readonly calls: readonly ModelCall[]
  /** The text without the calls and the reasoning in it. */
  readonly text: string
  readonly reasoning?: string
  /** True where the text ends in the middle of a call. */
  readonly isIncomplete: boolean
  /** Each reading and each repair, one sentence each. */
  readonly repairs: readonly string[]
}

/** Reads the calls that a model printed as text. */
export type TextReader = (text: string, tools: readonly ToolDefinition[]) => TextReading

/** Decides what of a text may be shown while the rest arrives: printed calls are held back. */
export interface VisibleText {
  /** Takes the next piece; returns what may be shown now. */
  push(piece: string): readonly ShownPart[]
  /** Returns what was held back and turned out to be text. */
  end(): readonly ShownPart[]
}

type ShownPart = { readonly type: 'text' | 'reasoning'; readonly text: string }

/** Opens the display of one reply. */
export type TextDisplay = (tools: readonly ToolDefinition[]) => VisibleText

/**
 * A model whose calls are also read where it prints them as text, and whose tools are described in the prompt where it has no native ones.
 * With a display, printed calls are also kept out of the text that is streamed.
 */
export function withTextCalls(model: Model, readText: TextReader, showText: TextDisplay = showAll): Model {
  return {
    name: model.name,
    abilities: () => model.abilities(),
    async *stream(request) {
      const visible = showText(request.tools)
      for await (const part of ask(model, request)) {
        if (part.type === 'text') yield* visible.push(part.text)
        else if (part.type === 'reply') {
          yield* visible.end()
          yield { type: 'reply', reply: readReply(part.reply, request.tools, readText) }
        } else yield part
      }
    },
  }
}

/** Shows every text as it comes. */
function showAll(): VisibleText {
  return { push: (text) => [{ type: 'text', text }], end: () => [] }
}

/** Asks a model; one that turns out to take no tools, by a refusal or by what its server counted, is asked once more with the tools in the prompt. */
async function* ask(model: Model, request: ModelRequest): AsyncGenerator<ModelPart> {
  const lacksTools = async () => {
    if (request.tools.length === 0) return false
    return (await untilCancelled(model.abilities(), request.signal))?.nativeCalls === false
  }
  if (await lacksTools()) return yield* model.stream(describeToolsIn(request))
  let hasBegun = false
  try {
    for await (const part of model.stream(request)) {
      hasBegun ||= part.type !== 'retry'
      if (part.type === 'reply' && part.reply.calls.length === 0 && (await lacksTools())) {
        yield { type: 'retry', reason: TOOLS_LEFT_OUT, seconds: 0 }
        return yield* model.stream(describeToolsIn(request))
      }
      yield part
    }
  } catch (thrown) {
    if (hasBegun || request.signal.aborted || !(await lacksTools())) throw thrown
    yield* model.stream(describeToolsIn(request))
  }
}

const TOOLS_LEFT_OUT =
  'The server left the tools out of the prompt: it read far fewer tokens than they take. They are described in the prompt from now on.'

/** Reads the calls of a text where the reply has no native ones; reasoning between tags is taken out of any text. */
function readReply(reply: ModelReply, tools: readonly ToolDefinition[], readText: TextReader): ModelReply {
  if (reply.text === '') return reply
  const hasNative = reply.calls.length > 0
  const { calls, text, reasoning, isIncomplete, repairs } = readText(reply.text, hasNative ? [] : tools)
  const thoughts = [reply.reasoning, reasoning].filter((one) => one !== undefined && one !== '').join('\n')
  if (hasNative) return { ...reply, text, ...(thoughts !== '' && { reasoning: thoughts }) }
  const isCut = isIncomplete || reply.finish === 'length'
  return {
    ...reply,
    text,
    ...(thoughts !== '' && { reasoning: thoughts }),
    calls,
    finish: isCut ? 'length' : calls.length > 0 ? 'calls' : reply.finish,
    repairs: [...reply.repairs, ...repairs],
  }
}
