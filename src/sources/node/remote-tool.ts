import { ToolError } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import type { PrepareContext, ToolContext } from '../../core/tool/context.ts'
import type { Prepared } from '../../core/tool/prepared.ts'
import type { AnySchema } from '../../core/tool/schema.ts'
import type { Origin } from '../../core/tool/snapshot.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Touch } from '../../core/tool/touch.ts'
import type { CallOrder } from './connection.ts'
import type { CallTerms } from './generation.ts'
import {
  type Foreseen,
  isOnceOnly,
  type Member,
  type SentInput,
  type StepOrder,
  type ToolDescription,
} from './protocol.ts'
import { makeRemoteSteps, readReturned } from './remote-steps.ts'

/** How many seconds each function that runs before the commit point may take. */
const LOOK_SECONDS = 10

/** Where a tool runs. */
export interface ToolHome {
  readonly file: string
  readonly origin: Origin
  readonly workspace: string
  /** Rejects with ToolError. */
  call(order: CallOrder, terms: CallTerms): Promise<unknown>
  /** Executes in a process of its own, where the tool's changes have to be judged. */
  runOnce?(order: CallOrder, context: ToolContext): Promise<unknown>
}

/** A value that the tool's schema made and JSON cannot carry: it stays in its process's own form. */
class RemoteValue {
  readonly sent: SentInput

  constructor(sent: SentInput) {
    this.sent = Object.freeze(sent)
    Object.freeze(this)
  }
}

/** Makes a tool whose functions run in the process of its file. */
export function makeRemoteTool(described: ToolDescription, home: ToolHome): Tool {
  const { name, description, parameters, output, vendor, effect = 'run' } = described
  const ask = createAsk(name, home)
  const execute = createExecute(name, home, ask)
  const input = vendor === undefined ? parameters : makeSchema(parameters, vendor, ask)
  return Object.freeze({
    name,
    description,
    input,
    ...(output !== undefined && { output }),
    effect,
    ...traitsOf(described, home.origin),
    ...foresight(described, ask),
    ...questions(described, ask),
    ...(described.functions.includes('steps')
      ? {
          steps: (given: unknown) =>
            makeRemoteSteps(name, (member, terms) =>
              ask(member, given, terms && { ...terms, output: terms.context.delta }),
            ),
        }
      : {
          execute: async (given: unknown, context: ToolContext) => readReturned(await execute(given, context), name),
        }),
  })
}

/** Words of a tool about itself. What a project says of repeating and ending runs is not believed. */
function traitsOf({ main, aliases, idempotent, endsRun }: ToolDescription, origin: Origin): Partial<Tool> {
  return {
    ...(main !== undefined && { main }),
    ...(aliases !== undefined && { aliases }),
    ...(origin === 'user' && idempotent !== undefined && { idempotent }),
    ...(origin === 'user' && endsRun !== undefined && { endsRun }),
  }
}

type Ask = (member: Member, input: unknown, given?: AskTerms) => Promise<unknown>

interface AskTerms {
  readonly context?: PrepareContext
  readonly step?: StepOrder
  output?(text: string): void
}

function createExecute(tool: string, { file, runOnce }: ToolHome, ask: Ask) {
  return (input: unknown, context: ToolContext): Promise<unknown> => {
    if (!runOnce) return ask('execute', input, { context, output: context.delta })
    const { workspace, session, call } = context
    const order = {
      member: 'execute',
      file,
      tool,
      input: sentOf(input),
      context: { workspace, session, call },
    } as const
    return runOnce(order, context)
  }
}

function sentOf(input: unknown): SentInput {
  return input instanceof RemoteValue ? input.sent : { value: input }
}

function createAsk(tool: string, { file, workspace, call }: ToolHome): Ask {
  return async (member, input, { context, step, output } = {}) => {
    const limit = isOnceOnly({ member, ...(step && { step }) }) ? [] : [AbortSignal.timeout(LOOK_SECONDS * 1000)]
    const signal = AbortSignal.any([...limit, ...(context ? [context.signal] : [])])
    const place = { workspace, session: context?.session ?? '', call: context?.call ?? '' }
    try {
      return await call(
        { member, file, tool, input: sentOf(input), context: place, ...(step && { step }) },
        { signal, ...(output && { output }) },
      )
    } catch (thrown) {
      if (!limit.some(({ aborted }) => aborted)) throw thrown
      throw new ToolError('TIMEOUT', `${WORK[member]} of ${tool} took longer than ${LOOK_SECONDS} s`)
    }
  }
}

const WORK: Readonly<Record<Member, string>> = {
  parse: 'the input schema',
  foresee: 'touches or timeout',
  approval: 'approval',
  prepare: 'prepare',
  plan: 'steps',
  step: 'a step before the approval',
  cleanup: 'a cleanup',
  execute: 'execute',
}

/** What a call would touch and how long it may take are asked for together, since only one of them may be waited for. */
function foresight({ functions, timeout }: ToolDescription, ask: Ask): Pick<Tool, 'touches' | 'timeout'> {
  const isFixed = typeof timeout === 'number' && { timeout: () => timeout }
  if (!functions.includes('touches') && !functions.includes('timeout')) return { ...isFixed }
  const seconds = new WeakMap<object, number>()
  return {
    async touches(input) {
      const foreseen = await ask('foresee', input)
      const { touches, timeout: own }: Foreseen = isRecord(foreseen) ? foreseen : {}
      if (typeof own === 'number' && typeof input === 'object' && input !== null) seconds.set(input, own)
      // Whether each is a touch is looked at by who judges them.
      return (touches ?? []) as readonly Touch[]
    },
    ...isFixed,
    ...(functions.includes('timeout') && {
      // Anything but a number means the usual limit.
      timeout: (input: unknown) => (typeof input === 'object' && input && seconds.get(input)) || Number.NaN,
    }),
  }
}

function questions({ functions, approval }: ToolDescription, ask: Ask): Pick<Tool, 'approval' | 'prepare'> {
  const isAsked = functions.includes('approval')
  return {
    ...(isAsked && {
      approval: async (input: unknown, context: PrepareContext) =>
        // A word that is neither true nor false asks.
        (await ask('approval', input, { context })) as boolean,
    }),
    ...(!isAsked && approval !== undefined && { approval: () => approval }),
    ...(functions.includes('prepare') && {
      async prepare(input: unknown, context: PrepareContext) {
        const prepared = await ask('prepare', input, { context })
        return isRecord(prepared) ? (prepared as Prepared) : undefined
      },
    }),
  }
}

/** A schema of the author's library, which stays in its process. */
function makeSchema(parameters: ToolDescription['parameters'], vendor: string, ask: Ask): AnySchema {
  const standard = {
    version: 1 as const,
    vendor,
    async validate(value: unknown) {
      const parsed = await ask('parse', value)
      if (!isRecord(parsed)) throw new Error('its process did not answer')
      if ('issues' in parsed) return { issues: parsed.issues as [] }
      return { value: 'value' in parsed ? parsed.value : new RemoteValue(parsed as SentInput) }
    },
    jsonSchema: { input: () => parameters, output: () => parameters },
  }
  return { '~standard': standard }
}
