import { makeTitle } from '../../agent/session-title.ts'
import type { AgentParent, AgentsOf } from '../../core/agents/agent-parent.ts'
import type { AgentOrder, AgentRecord, Agents } from '../../core/agents/agents.ts'
import { messageOf, ToolError } from '../../core/call/result.ts'
import { type Model, ModelError } from '../../core/ports/model.ts'
import { maskTokens } from '../../core/secrets/mask-secrets.ts'
import type { SessionRecord } from '../../core/session/session-record.ts'
import { isControl, type Snapshot } from '../../core/tool/snapshot.ts'
import type { Session, SessionOptions } from '../sessions/session.ts'
import type { AgentParts } from './agent-parts.ts'
import { recordOfAgent } from './agent-record.ts'
import { Turns } from './turns.ts'

/** How many agents of one session run at once. */
const TOGETHER = 5
/** How many agents a list names. */
const LISTED = 50

/** Tools that an agent of a session never has: agents start no agents. */
const OF_AGENTS: ReadonlySet<string> = new Set(['spawn_agent', 'list_agents', 'get_agent'])

/** What starting agents needs of their host. */
export interface AgentsParts {
  readonly agent: AgentParts
  /** Begins a session whose tools are a selection of those given. */
  begin(options: SessionOptions, snapshot: Snapshot): Session
}

/** Creates the agents of the sessions of one host. Each is a session of its own that names its parent, with tools of the parent and its mode; it stops when the call or the run that started it does. */
export function createAgents(parts: AgentsParts): AgentsOf {
  const turns = new Map<string, Turns>()
  const turnsOf = (session: string): Turns => {
    for (const [other, { isIdle }] of turns) if (isIdle && other !== session) turns.delete(other)
    const own = turns.get(session) ?? new Turns(TOGETHER)
    turns.set(session, own)
    return own
  }
  return (parent) => createOne(parent, parts, turnsOf)
}

function createOne(parent: AgentParent, parts: AgentsParts, turnsOf: (session: string) => Turns): Agents {
  const { log, leases } = parts.agent.storage
  const describe = async (record: SessionRecord) =>
    recordOfAgent(record, await log.read({ session: record.session }), await leases.isHeld(record.session))
  const get = async (agent: string): Promise<AgentRecord | undefined> => {
    const [record] = await log.sessions({ session: agent, parent: parent.session, limit: 1 })
    return record && describe(record)
  }
  return {
    async run(order) {
      const stopped = followParent(parent, parts.agent)
      try {
        const { session, model } = await beginAgent(order, parent, parts)
        await turnsOf(parent.session).run(stopped.signal, () =>
          session.send(order.task, { model, signal: stopped.signal }),
        )
        const ended = await get(session.id)
        if (ended) return ended
        throw new ToolError('UNAVAILABLE', `The agent ${session.id} has ended, but the log does not say how.`)
      } finally {
        stopped.end()
      }
    },
    async list() {
      return Promise.all((await log.sessions({ parent: parent.session, limit: LISTED })).map(describe))
    },
    get,
  }
}

interface BegunAgent {
  readonly session: Session
  readonly model: Model
}

async function beginAgent(order: AgentOrder, parent: AgentParent, { agent, begin }: AgentsParts): Promise<BegunAgent> {
  const { approver, wait } = parent
  const [above] = await agent.storage.log.sessions({ session: parent.session, limit: 1 })
  if (above && above.parent !== null)
    throw new ToolError('UNAVAILABLE', 'An agent cannot start agents of its own. Do the work yourself.')
  const model = await openModel(order, above, { agent, parent })
  const { snapshot, ...selected } = select(order, parent)
  const options: SessionOptions = {
    ...selected,
    parent: parent.session,
    mode: above?.mode ?? 'ask',
    model: model.name,
    label: maskTokens(makeTitle(order.task), agent.masker),
    ...(approver && { approver }),
    ...(wait !== undefined && { wait }),
  }
  return { session: begin(options, snapshot), model }
}

/** Opens the model that the order names, else the one that the session itself runs with. */
async function openModel(
  { model: name }: AgentOrder,
  above: SessionRecord | undefined,
  { agent, parent }: { readonly agent: AgentParts; readonly parent: AgentParent },
): Promise<Model> {
  // A recording is a file of any path, which the rules on reading know nothing of.
  if (name?.startsWith('replay:'))
    throw new ToolError('INVALID_ARGUMENTS', 'An agent cannot use a recording as a model.')
  const running = agent.running.get(parent.session)
  if (name === undefined && running) return running.model
  try {
    return await agent.openModel(name === undefined ? {} : { model: name }, above?.model ?? undefined)
  } catch (thrown) {
    if (thrown instanceof ModelError) throw new ToolError('UNAVAILABLE', thrown.message)
    throw thrown
  }
}

/** The tools of an agent: those of its parent that the order names, never others. */
function select({ tools }: AgentOrder, { snapshot }: AgentParent) {
  if (snapshot === undefined) throw new ToolError('UNAVAILABLE', 'An agent can be started only while a call runs.')
  try {
    return { snapshot, ...selectForAgent(snapshot, tools) }
  } catch (thrown) {
    throw new ToolError('INVALID_ARGUMENTS', messageOf(thrown))
  }
}

/** A selection of tools for an agent: those that are named, all when left out; never those that start agents. Without control tools where its parent has none. Throws if there is no tool of a name. */
export function selectForAgent(
  snapshot: Snapshot,
  names?: readonly string[],
): Required<Pick<SessionOptions, 'tools' | 'mcpServers'>> & Pick<SessionOptions, 'only'> {
  const named = names === undefined ? snapshot.tools : names.map((name) => findTool(name, snapshot))
  const kept = named.filter((entry) => !isControl(entry) && !OF_AGENTS.has(entry.tool.name))
  const own = kept.filter(({ origin }) => origin !== 'mcp').map(({ tool }) => tool.name)
  const servers = kept.filter(({ origin }) => origin === 'mcp').map(({ source }) => source)
  const isOnly = !snapshot.tools.some(isControl)
  return { tools: [...new Set(own)], mcpServers: [...new Set(servers)], ...(isOnly && { only: true }) }
}

function findTool(name: string, snapshot: Snapshot) {
  const entry = snapshot.find(name)
  if (entry) return entry
  const near = snapshot.nearest(name).slice(0, 3)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  throw new Error(`You have no tool ${JSON.stringify(name)}, so an agent cannot have it.${hint}`)
}

/** A signal that aborts when the call that started the agent is stopped, or the run of its session is: a call in the background outlives its turn, but not a stop. */
function followParent({ session, signal }: AgentParent, { bus }: AgentParts): { signal: AbortSignal; end(): void } {
  const stop = new AbortController()
  const end = bus.on((event) => {
    if (event.type === 'run-end' && event.session === session && event.reason === 'cancelled') stop.abort()
  })
  return { signal: AbortSignal.any([signal, stop.signal]), end }
}
