import type { LogReader } from '../../app/home-options.ts'
import type { CallRecord } from '../../core/call/call-record.ts'
import type { ErrorCode } from '../../core/call/codes.ts'
import { nearest } from '../../core/text/nearest.ts'
import { printableLine } from '../../core/text/printable.ts'
import { showMoment } from '../terminal/since.ts'

/** Something that a person may name by its id. */
export interface Candidate {
  readonly id: string
  /** What it is, for a person who has to choose. */
  readonly text: string
}

/** Why an id names nothing, or more than one thing. */
export interface IdProblem {
  readonly code: ErrorCode
  readonly text: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** What an id is looked up in. */
interface Lookup<One extends Candidate> {
  /** Those whose id starts as the given one does. */
  readonly candidates: readonly One[]
  /** Ids that are suggested where there is none. */
  readonly known: readonly string[]
  /** What there is none of: `task`. */
  readonly kind: string
  /** The command that lists them. */
  readonly listedBy: string
}

/** How many ids are listed where several fit. */
const LISTED = 10

/** How many of the newest ids are suggested from. */
const SUGGESTED_FROM = 100

/** Finds the one thing a person means by an id: the one that has it, or the only one whose id starts so. */
export function chooseById<One extends Candidate>(given: string, lookup: Lookup<One>): One | { problem: IdProblem } {
  const { candidates } = lookup
  const [first, ...others] = candidates
  const exact = candidates.find(({ id }) => id === given)
  if (exact) return exact
  if (!first) return { problem: unknownId(given, lookup) }
  if (others.length === 0) return first
  const lines = candidates.slice(0, LISTED).map(({ id, text }) => `  ${id}  ${text}`)
  const more = candidates.length > LISTED ? ['  and more'] : []
  const text = [`More than one id starts with ${quote(given)}; give more of it:`, ...lines, ...more].join('\n')
  return { problem: { code: 'INVALID_ARGUMENTS', text, details: { candidates: candidates.map(({ id }) => id) } } }
}

function unknownId(given: string, { known, kind, listedBy }: Omit<Lookup<Candidate>, 'candidates'>): IdProblem {
  const near = suggest(given, known)
  const hint = near.length === 0 ? `${listedBy} lists what there is.` : `Did you mean ${near.join(' or ')}?`
  const text = `There is no ${kind} ${quote(given)}. ${hint}`
  return { code: 'FILE_NOT_FOUND', text, ...(near.length > 0 && { details: { near } }) }
}

/** The ids that hold what was given, else those that start almost so. */
function suggest(given: string, known: readonly string[]): string[] {
  if (given.length < 3) return []
  const holding = known.filter((id) => id.includes(given))
  if (holding.length > 0) return holding.slice(0, 3)
  const starts = new Map(known.map((id) => [id.slice(0, given.length), id]))
  return nearest(given, [...starts.keys()], (id) => id).flatMap((start) => starts.get(start) ?? [])
}

/** A call or a session that was found by its id. */
export interface Found extends Candidate {
  readonly record?: CallRecord
}

/** Finds a call or a session by its id or the start of it; `record` is there for a call. */
export async function findCallOrSession(log: LogReader, given: string): Promise<Found | { problem: IdProblem }> {
  const calls = (await log.calls({ callPrefix: given, limit: LISTED + 1 })).map(callCandidate)
  const [exact] = await log.calls({ call: given, limit: 1 })
  const found = [...(exact ? [callCandidate(exact)] : []), ...calls, ...(await findSessions(log, given))]
  const kind = 'call and no session'
  return chooseById(given, { candidates: unique(found), known: await knownIds(log), kind, listedBy: 'haft log' })
}

/** Finds a session alone. */
export async function findSession(log: LogReader, given: string): Promise<Found | { problem: IdProblem }> {
  const known = (await log.sessions({ limit: SUGGESTED_FROM })).map(({ session }) => session)
  return chooseById(given, { candidates: await findSessions(log, given), known, kind: 'session', listedBy: 'haft log' })
}

/** Finds a call in the background. */
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
      text: `a session, last used ${showMoment(lastAt, Date.now())}`,
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
