import type { CallSummary } from '../approval/call-summary.ts'
import type { ListedApproval } from '../approval/listed-approval.ts'
import type { CallRecord } from '../call/call-record.ts'
import type { Failure, Success } from '../call/result.ts'
import type { CommittedEvent } from '../session/event.ts'
import { MODES } from '../session/mode.ts'
import { SESSION_WORDS, type SessionState, type SessionSummary } from '../session/session-record.ts'
import {
  anything,
  array,
  boolean,
  either,
  integer,
  nullable,
  number,
  objectSchema,
  oneOf,
  optional,
  record,
  type Schema,
  schemaOf,
  string,
} from '../tool/schema.ts'

/** Schemas that several routes share. */

export const time = (description: string) => number(`${description}, in milliseconds since 1970`)
export const mode = (description: string) => oneOf(MODES, description)
export const names = (description: string) => array(string('A name'), description, { maxItems: 10_000 })

/** The workspace of a request; that of the server when left out. */
export const workspace = optional(
  string('Folder to work in, as an absolute path; that of the server when left out', {
    minLength: 1,
    maxLength: 4_096,
  }),
)

/** The answer of a route that only does something. */
export const done = objectSchema({ done: boolean('True: it was done') })

const details = record(anything('A value'), 'More about the failure')

export const failure: Schema<Failure> = schemaOf<Failure>({
  ok: { const: false },
  code: anything('One of the codes in docs/errors.md'),
  text: string('What was wrong, what was expected and who refused'),
  details: optional(details),
  retryable: optional(boolean('True if the same call may work later')),
})

const success: Schema<Success> = schemaOf<Success>({
  ok: { const: true },
  text: string('What a model reads'),
  frame: optional(string('The text without the output that was streamed')),
  data: optional(anything('What a program reads; absent where the tool returned nothing')),
})

/** How a call ended. */
export const result = either(success, failure)

/** What a call would do, in Haft's words. */
export const summary: Schema<CallSummary> = schemaOf<CallSummary>({
  sentence: string('One sentence, the worst effect first; parts between backticks are literal'),
  rows: array(anything('`{kind, text, tone?}`'), 'One row an effect, `undo` last'),
  commands: array(anything('`{text, isExact}`'), 'The commands of a command line, as they were read'),
  canUndo: boolean('False if it would do something that cannot be undone'),
})

/** An open approval request. */
export const approval: Schema<ListedApproval> = schemaOf<ListedApproval>({
  id: string('Id of the approval request'),
  call: string('Id of the call'),
  session: string('Id of the session'),
  tool: string('Name of the tool'),
  workspace: string('Folder that the call works in'),
  label: optional(string('What the agent that makes the call works on')),
  mode: optional(mode('Mode of the session')),
  arguments: record(anything('A value'), 'Input that the tool would get, secrets masked'),
  sent: optional(record(anything('A value'), 'Arguments as they were sent, where the schema changes them')),
  summary: optional(summary),
  effects: array(string('An effect'), 'What the call would touch, in words'),
  rule: string('The rule that asks'),
  reason: string('Why it asks'),
  preview: optional(anything('`{kind: text|diff|command, text}`')),
  unusual: array(string('A warning'), 'What is unusual about the call'),
  hasRun: optional({ const: true, description: 'The command has run; approving applies its changes' }),
  canDryRun: optional({ const: true, description: 'A dry run can show what it would do' }),
  trace: optional(array(anything('`{layer, rule, decision, reason}`'), 'Every rule that matched')),
  askedBy: names('Every rule that asked'),
  grants: array(anything('`{scope, text}`'), 'Grants that can be given with the approval'),
  digest: string('Digest of exactly this call'),
  askedAt: time('When it was asked'),
  expiresAt: time('When it is denied'),
  answer: nullable(anything('The answer, while the call has not run yet')),
})

/** A call that has not ended. */
export const openCall = objectSchema({
  call: string('Id of the call, for GET /api/calls/{id}'),
  session: optional(string('Session of the call, for its events')),
  approval: optional(approval),
})

/** A session in a listing. */
export const session: Schema<SessionSummary> = schemaOf<SessionSummary>({
  session: string('Id of the session'),
  workspace: nullable(string('Folder that it works in')),
  parent: nullable(string('Session whose agent started it')),
  title: nullable(string('Its title')),
  model: nullable(string('Its model')),
  mode: nullable(mode('Its mode')),
  startedAt: time('When it began'),
  lastAt: time('When something last happened'),
  calls: integer('How many calls it made'),
  ended: nullable(
    oneOf(['complete', 'reply', 'limit', 'loop', 'cancelled', 'failed'], 'How its last run ended; null during one'),
  ),
  state: oneOf(Object.keys(SESSION_WORDS) as SessionState[], 'What it does now, or how its last run ended'),
})

/** A call in one line of the log. */
export const callRecord: Schema<CallRecord> = schemaOf<CallRecord>({
  // Absent until it is committed; JSON has no undefined.
  cursor: optional(integer('Position in the order of commits')),
  session: string('Id of the session'),
  workspace: nullable(string('Folder of the session')),
  parent: nullable(string('Parent of the session')),
  call: string('Id of the call'),
  tool: string('Name of the tool'),
  arguments: string('Arguments as JSON text, masked and cut'),
  at: time('When it began'),
  decision: nullable(oneOf(['allow', 'ask', 'deny'], 'What the rules decided')),
  rule: nullable(string('The rule that decided')),
  clearedBy: nullable(string('Who allowed it')),
  ran: boolean('True once something may have happened'),
  outcome: nullable(anything('`ok`, or the code of the failure')),
  duration: nullable(number('Milliseconds')),
  task: nullable(oneOf(['waiting', 'queued', 'running', 'ended'], 'State as a background task')),
})

/** An event of the log, as docs/events.md describes it. */
export const event: Schema<CommittedEvent> = {
  type: 'object',
  description: 'An event; its members depend on its type (docs/events.md)',
  properties: { type: { type: 'string' }, id: { type: 'string' }, at: { type: 'number' }, session: { type: 'string' } },
  required: ['type', 'id', 'at', 'session'],
}

/** A stream of events. */
export const eventStream: Schema<CommittedEvent> = {
  type: 'string',
  description:
    'Server-sent events. The data is an event as JSON; the id is its cursor, for Last-Event-ID. Pieces of text come at once and without an id: drop what you have by offset. `event: caught-up` comes once after what had happened before, `event: stop` before the server ends.',
}
