import type { LogReader } from '../../app/home-options.ts'
import type { CallRecord } from '../../core/call/call-record.ts'
import type { ErrorCode } from '../../core/call/codes.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { nearest } from '../../core/text/nearest.ts'
import { printableLine } from '../../core/text/printable.ts'

/** Something with an id. */
export interface Candidate {
  readonly id: string
  /** A short description, for a person who has to choose. */
  readonly text: string
}

/** The reason why an id names nothing, or more than one thing. */
export interface IdProblem {
  readonly code: ErrorCode
  readonly text: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Where an id is looked up. */
interface Lookup<One extends Candidate> {
  /** The things whose id starts with the given text. */
  readonly candidates: readonly One[]
  /** Ids to suggest from if nothing fits. */
  readonly known: readonly string[]
  /** What is looked for, for messages: `task`. */
  readonly kind: string
  /** The command that lists them. */
  readonly listedBy: string
}

/** The most ids that are listed if several fit. */
const LISTED = 10

/** How many of the newest ids are considered for suggestions. */
const SUGGESTED_FROM = 100

/** Finds the thing with this id, or the only one whose id starts with it. */
export function chooseById<One extends Candidate>(given: string, lookup: Lookup<One>): One | { problem: IdProblem } {
  const { candidates } = lookup
  const [first, ...others] = candidates
  const exact = candidates.find(({ id }) => id === given)
  if (exact) return exact
  if (!first) return { problem: unknownId(given, lookup) }
  if (others.length === 0) return first
  const lines = candidates.slice(0, LISTED).map(({ id, text }) => `  ${id}  ${text}`)
  const more = candidates.length > LISTED ? ['  and more'] : []
  const text = [`Several ids start with ${quote(given)}. Give more of it:`, ...lines, ...more].join('\n')
  return { problem: { code: 'INVALID_ARGUMENTS', text, details: { candidates: candidates.map(({ id }) => id) } } }
}

function unknownId(given: string, { known, kind, listedBy }: Omit<Lookup<Candidate>, 'candidates'>): IdProblem {
  const near = suggest(given, known)
  const hint = near.length === 0 ? `List them with: ${listedBy}` : `Did you mean ${near.join(' or ')}?`
  const text = `There is no ${kind} ${quote(given)}. ${hint}`
  return { code: 'FILE_NOT_FOUND', text, ...(near.length > 0 && { details: { near } }) }
}

/** Returns the ids that contain the given text, else those with a similar start. */
function suggest(given: string, known: readonly string[]): string[] {
  if (given.length < 3) return []
  const holding = known.filter((id) => id.includes(given))
  if (holding.length > 0) return holding.slice(0, 3)
  const starts = new Map(known.map((id) => [id.slice(0, given.length), id]))
  return nearest(given, [...starts.keys()], (id) => id).flatMap((start) => starts.get(start) ?? [])
}

/** A call or a session found by its id. */
export interface Found extends Candidate {
  readonly record?: CallRecord
}

/** Finds a call or a session by its id or the start of it; `record` is there for a call. */
export async function findCallOrSession(log: LogReader, given: string): Promise<Found | { problem: IdProblem }> {
  const calls = (await log.calls({ callPrefix: given, limit: LISTED + 1 })).map(callCandidate)
  const [exact] = await log.calls({ call: given, limit: 1 })
  const found = [...(exact ? [callCandidate(exact)] : []), ...calls, ...(await findSessions(log, given))]
  const kind = 'call or session'
  return chooseById(given, { candidates: unique(found), known: await knownIds(log), kind, listedBy: 'haft log' })
}

/** Finds a session by its id or the start of it. */
export async function findSession(log: LogReader, given: string): Promise<Found | { problem: IdProblem }> {
  const known = (await log.sessions({ limit: SUGGESTED_FROM })).map(({ session }) => session)
  return chooseById(given, {
    candidates: await findSessions(log, given),
    known,
    kind: 'session',
    listedBy: 'haft sessions',
  })
}

/** Finds a background task by its id or the start of it. */
export async function findTask(log: LogReader, given: string): Promise<Found | { problem: IdProblem }> {
  const isTask = true
  const [exact] = await log.calls({ call: given, isTask, limit: 1 })
  const calls = [...(exact ? [exact] : []), ...(await log.calls({ callPrefix: given, isTask, limit: LISTED + 1 }))]
  const known = (await log.calls({ isTask, limit: SUGGESTED_FROM })).map(({ call }) => call)
  const candidates = unique(calls.map(callCandidate))
  return chooseById(given, { candidates, known, kind: 'task', listedBy: 'haft tasks' })
}

async function findSessions(log: LogReader, given: string): Promise<Found[]> {
  const exact = (await log.calls({ session: given, limit: 1 })).map(({ session, at }) => ({ session, lastAt: at }))
  return unique(
    [...exact, ...(await log.sessions({ limit: LISTED + 1, prefix: given }))].map(({ session, lastAt }) => ({
      id: session,
      text: `session, last used ${showMoment(lastAt, Date.now())}`,
    })),
  )
}

function callCandidate(record: CallRecord): Found {
  const { call, tool, at, arguments: args } = record
  return { id: call, text: `${showMoment(at, Date.now())} ${tool} ${printableLine(args).slice(0, 60)}`, record }
}

function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.toReversed().map((one) => [one.id, one])).values()].toReversed()
}

async function knownIds(log: LogReader): Promise<string[]> {
  const calls = (await log.calls({ limit: SUGGESTED_FROM })).map(({ call }) => call)
  return [...calls, ...(await log.sessions({ limit: SUGGESTED_FROM })).map(({ session }) => session)]
}

function quote(given: string): string {
  return JSON.stringify(given)
}
