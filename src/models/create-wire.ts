import type { ModelPrice } from '../core/model-settings.ts'
import type { Model, ModelAbilities, ModelPart, ModelReply, ModelRequest } from '../core/ports/model.ts'
import type { LearnedAbilities } from './abilities/ability-cache.ts'
import { blamesTools, learnFromCalls, learnFromRefusal } from './abilities/learn-from-reply.ts'
import { shownImages } from './history/attachments.ts'
import { fitRoles } from './history/fit-roles.ts'
import { explainStatus } from './http/explain-status.ts'
import { type StatusError, UnansweredError } from './http/http-errors.ts'
import { CHAT_LIMITS, type Limits } from './http/limits.ts'
import { CHAT_RETRIES, type RetryPolicy, retry } from './http/retry.ts'
import { type HttpAnswer, sendRequest } from './http/send-request.ts'
import { isOnThisMachine } from './open/addresses.ts'
import { createReplyCollector, type ReplyCollector } from './reply/collect-reply.ts'
import { countUsage, lacksDefinitions } from './reply/count-usage.ts'
import { untilCancelled } from './until-cancelled.ts'

/** What a model over HTTP is opened with. */
export interface WireOptions {
  /** As settings name it. */
  readonly name: string
  /** As the server knows it. */
  readonly model: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly context?: number | undefined
  /** The most tokens of a reply. */
  readonly maxOutput?: number | undefined
  readonly temperature?: number | undefined
  readonly price?: ModelPrice | undefined
  /** Asks the model to follow the schemas of tools exactly, where the protocol can. */
  readonly strict?: boolean | undefined
  readonly learned: LearnedAbilities
  readonly limits?: Limits | undefined
  readonly retries?: RetryPolicy | undefined
}

/** What differs from one HTTP protocol to another. */
export interface Protocol {
  readonly chatUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** What a person can do where no server answers. */
  readonly hint: string
  /** The body of a request, as JSON. */
  writeRequest(request: ModelRequest, known: ModelAbilities): object
  /** Reads a reply into the collector; yields what arrives. */
  readReply(answer: HttpAnswer, reply: ReplyCollector): AsyncIterable<ModelPart>
  /** What the server says of the model; may reject. */
  readMetadata(): Promise<ModelAbilities>
  /** True where a call goes back with the id that the server gave it. */
  readonly keepsCallIds?: boolean
  /** True where a refusal is answered by another form of the same request; the next `writeRequest` uses it. */
  adapt?(refusal: StatusError): boolean
}

/** The longest reply that is allowed where nobody says otherwise: a model that repeats itself would never end. */
const LONGEST_REPLY = 32_768

/** The most tokens of a reply: half of the window where nobody says otherwise. Undefined for a provider whose window is not known: it has a limit of its own. */
export function outputLimit(
  { maxOutput }: Pick<ModelRequest, 'maxOutput'>,
  options: Pick<WireOptions, 'maxOutput' | 'baseUrl'>,
  { context = isOnThisMachine(options.baseUrl) ? LONGEST_REPLY : undefined }: ModelAbilities,
): number | undefined {
  const usual = context === undefined ? undefined : Math.min(Math.ceil(context / 2), LONGEST_REPLY)
  return maxOutput ?? options.maxOutput ?? usual
}

/** A model that speaks a protocol over HTTP. */
export function createWire(options: WireOptions, protocol: Protocol): Model {
  const { name, learned, price } = options
  const abilities = createAbilities(options, protocol)
  return {
    name,
    abilities,
    async *stream(request) {
      const known = await untilCancelled(abilities(), request.signal)
      const answer = yield* ask({ request, options, protocol, known: known ?? {} })
      const collector = createReplyCollector()
      yield* protocol.readReply(answer, collector)
      const { opaque, ...collected } = collector.read()
      const lacksTools = known?.nativeCalls === undefined && lacksDefinitions(collector.usage, request)
      // A model that knows its tools from the prompt says nothing about native ones by calling one.
      const called = known?.nativeCalls === false ? {} : learnFromCalls(collected.calls)
      learned.learn({ ...(lacksTools && { nativeCalls: false }), ...called }, 'replies')
      const usage = countUsage({ reported: collector.usage, request, reply: collected, price })
      const ids = protocol.keepsCallIds && collected.calls.some(({ id }) => id !== undefined)
      const kept = { ...opaque, ...(ids && { ids: collected.calls.map(({ id }) => id ?? null) }) }
      const hasKept = Object.keys(kept).length > 0
      const reply: ModelReply = { ...collected, usage, ...(hasKept && { wire: { model: name, ...kept } }) }
      yield { type: 'reply', reply }
    },
  }
}

/** Metadata is asked for once; where that fails, what is remembered counts and the next call asks again. */
function createAbilities({ context, learned }: WireOptions, protocol: Protocol): () => Promise<ModelAbilities> {
  let asking: Promise<void> | undefined
  const ask = async () => {
    try {
      learned.learn(await protocol.readMetadata(), 'metadata')
    } catch {
      asking = undefined
    }
  }
  return async () => {
    asking ??= ask()
    await asking
    return { ...learned.read(), ...(context !== undefined && { context }) }
  }
}

interface Asking {
  readonly request: ModelRequest
  readonly options: WireOptions
  readonly protocol: Protocol
  readonly known: ModelAbilities
}

/** Sends a request until it is taken: a server that refuses images, an option or a form of messages gets it once more without them. */
async function* ask(asking: Asking): AsyncGenerator<ModelPart, HttpAnswer> {
  const { request, options, protocol, known } = asking
  const policy = options.retries ?? CHAT_RETRIES
  try {
    return yield* retry(() => sendOnce(asking), { signal: request.signal, policy })
  } catch (thrown) {
    if (thrown instanceof UnansweredError && thrown.code !== undefined)
      throw new UnansweredError(`${thrown.message} ${protocol.hint}`, { code: thrown.code, cause: thrown })
    if (!(thrown instanceof Refusal)) throw thrown
    options.learned.learn(thrown.shown, 'replies')
    const { nativeCalls: _, ...adaptable } = thrown.shown
    if (Object.keys(adaptable).length === 0 && !protocol.adapt?.(thrown.answer)) throw thrown.answer
    return yield* ask({ ...asking, known: { ...known, ...thrown.shown } })
  }
}

/** A refusal that shows what the model cannot do: sending the same again is of no use. */
class Refusal extends Error {
  readonly shown: ModelAbilities
  readonly answer: StatusError

  constructor(shown: ModelAbilities, answer: StatusError) {
    super(answer.message)
    this.shown = shown
    this.answer = answer
  }
}

function hasImages({ messages }: ModelRequest, { images }: ModelAbilities): boolean {
  if (images === false) return false
  return messages.some((message) => {
    const attached = message.role === 'tool' ? message.images : message.attachments
    return shownImages(attached, true).length > 0
  })
}

async function sendOnce({ request, options, protocol, known }: Asking): Promise<HttpAnswer> {
  const answer = await sendRequest({
    method: 'POST',
    url: protocol.chatUrl,
    headers: { 'content-type': 'application/json', ...protocol.headers },
    body: JSON.stringify(protocol.writeRequest({ ...request, messages: fitRoles(request.messages, known) }, known)),
    signal: request.signal,
    limits: options.limits ?? CHAT_LIMITS,
  })
  if (answer.status >= 200 && answer.status < 300) return answer
  const status = await explainStatus(answer, protocol.chatUrl)
  const { tools } = request
  const learned = learnFromRefusal({ words: status.words, tools, hasImages: hasImages(request, known) })
  // What was known before did not help.
  const shown = Object.fromEntries(Object.entries(learned).filter(([key, value]) => Reflect.get(known, key) !== value))
  const isFinal = !status.retryable || (tools.length > 0 && blamesTools(status))
  if (Object.keys(shown).length > 0 || isFinal) throw new Refusal(shown, status)
  throw status
}

/** The headers that carry a key and those of the settings. */
export function headersOf({ apiKey, headers }: Pick<WireOptions, 'apiKey' | 'headers'>): Record<string, string> {
  return { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers }
}
