import type { CheckReport } from '../call/check-report.ts'
import type { ToolDescription } from '../tool/describe-tool.ts'
import {
  anything,
  array,
  boolean,
  integer,
  number,
  objectSchema,
  oneOf,
  optional,
  record,
  schemaOf,
  string,
} from '../tool/schema.ts'
import type { Skipped } from '../tool/snapshot.ts'
import { EFFECTS } from '../tool/tool.ts'
import { done, mode, openCall, result, summary, workspace } from './answers.ts'
import type { Route } from './route.ts'

const name = string('Name of the tool: its id, wire name or alias', { minLength: 1, maxLength: 300 })
const id = string('Id of the call', { minLength: 1, maxLength: 200 })

export const tool = schemaOf<ToolDescription>({
  name: string('Id of the tool'),
  wireName: string('Name that models see'),
  description: string('What it does'),
  parameters: record(anything('A keyword'), 'JSON Schema of its parameters'),
  effect: oneOf(EFFECTS, 'The worst it can do'),
  origin: oneOf(['built-in', 'code', 'user', 'project', 'mcp'], 'Where it comes from'),
  source: string('File or server that it comes from'),
  line: optional(integer('Line of the file')),
  isControl: optional({ const: true, description: 'Offered whenever any tool is, and never part of a selection' }),
})

const skipped = schemaOf<Skipped>({
  source: string('File or server'),
  line: optional(integer('Line of the file')),
  reason: string('Why it was not loaded'),
  isWarning: optional({ const: true, description: 'The tool was loaded all the same' }),
  loadingSince: optional(number('When a file that is still loading began, in milliseconds')),
})

const listing = objectSchema({ tools: array(tool, 'The tools'), skipped: array(skipped, 'What was not loaded') })

const report = schemaOf<CheckReport>({
  decision: oneOf(['allow', 'ask', 'deny', 'invalid'], 'What would happen'),
  code: optional(anything('Code of the failure that the call would get')),
  rule: optional(string('The rule that decides')),
  text: string('What would happen, in words'),
  arguments: optional(record(anything('A value'), 'Input that the tool would get')),
  effects: optional(array(string('An effect'), 'What the call would touch, in words')),
  repairs: optional(array(string('A repair'), 'What was malformed')),
  summary: optional(summary),
  preview: optional(anything('`{kind: text|diff|command, text}`')),
  trace: array(anything('`{layer, rule, decision, reason}`'), 'Every rule that matched'),
  dryRun: optional(result),
})

/** Arguments are at most 10 MB of text. */
const CALL_LIMIT = 11_000_000

export const toolRoutes = {
  listTools: {
    method: 'GET',
    path: '/api/tools',
    about: 'Lists the tools of a workspace and the files that were not loaded.',
    query: { workspace },
    answers: { 200: listing },
  },
  getTool: {
    method: 'GET',
    path: '/api/tools/{name}',
    about: 'Describes one tool.',
    params: { name },
    query: { workspace },
    answers: { 200: tool },
  },
  refreshTools: {
    method: 'POST',
    path: '/api/tools/refresh',
    about: 'Loads the tools of every source again.',
    query: { workspace },
    answers: { 200: listing },
  },
  callTool: {
    method: 'POST',
    path: '/api/tools/{name}/call',
    about:
      'Runs one call. Answers 202 when a person must approve it first, or when it is detached; GET /api/calls/{id} has its result later.',
    params: { name },
    body: {
      arguments: optional(anything('Arguments as an object or as JSON text')),
      session: optional(string('Session that the call belongs to', { minLength: 1, maxLength: 200 })),
      workspace,
      mode: optional(mode('Mode of the call, where it belongs to no session')),
      timeout: optional(number('Time limit in seconds', { minimum: 0.001, maximum: 86_400 })),
      detached: optional(boolean('Answers 202 as soon as the call has begun, whether or not a person must approve it')),
    },
    bodyLimit: CALL_LIMIT,
    answers: { 200: result, 202: openCall },
  },
  checkTool: {
    method: 'POST',
    path: '/api/tools/{name}/check',
    about: 'Says what would happen to a call. Nothing is run, except a dry run that was asked for.',
    params: { name },
    query: { workspace },
    body: {
      arguments: optional(anything('Arguments as an object or as JSON text')),
      session: optional(string('Session that the call would belong to', { minLength: 1, maxLength: 200 })),
      mode: optional(mode('Mode of the call')),
      dryRun: optional(boolean('Also does a dry run, unless the call is denied')),
    },
    bodyLimit: CALL_LIMIT,
    answers: { 200: report },
  },
  explainTool: {
    method: 'GET',
    path: '/api/tools/{name}/why',
    about:
      'Says why a tool was not offered, not called, blocked, or its result not used. The name need not be that of a tool.',
    params: { name },
    query: { workspace, session: optional(string('Session that is asked about', { maxLength: 200 })) },
    answers: {
      200: objectSchema({
        findings: array(
          objectSchema({
            cause: string('The cause in one word, such as `skipped`, `blocked` or `used`'),
            text: string('What happened and what to do'),
            call: optional(string('Id of the call it is about')),
          }),
          'The answers',
        ),
      }),
    },
  },
  getCall: {
    method: 'GET',
    path: '/api/calls/{id}',
    about: 'Gives the result of a call; 202 while it has not ended.',
    params: { id },
    answers: { 200: result, 202: openCall },
  },
  cancelCall: {
    method: 'DELETE',
    path: '/api/calls/{id}',
    about: 'Asks for the end of a running call, of a task also. 409 where it has ended.',
    params: { id },
    answers: { 200: done },
  },
  moveCall: {
    method: 'POST',
    path: '/api/calls/{id}/background',
    about: 'Lets a running call go on in the background, so that its caller no longer waits. 409 where it cannot.',
    params: { id },
    answers: { 200: done },
  },
  readOutput: {
    method: 'GET',
    path: '/api/calls/{id}/output',
    about: 'Reads lines of the full output of a call whose result was cut.',
    params: { id },
    query: {
      from: optional(integer('First line, from 1', { minimum: 1, maximum: 1e9 })),
      to: optional(integer('Last line', { minimum: 1, maximum: 1e9 })),
    },
    answers: {
      200: objectSchema({
        lines: array(string('A line'), 'The lines'),
        from: integer('Number of the first line'),
        to: integer('Number of the last line'),
        total: integer('How many lines there are'),
      }),
    },
  },
  undo: {
    method: 'POST',
    path: '/api/undo',
    about: 'Restores the files that a call, a session or a job of a plan changed; with dryRun only shows the diff.',
    body: {
      id: optional(string('Call or session; the last change of the workspace when left out', { maxLength: 200 })),
      plan: optional(string('With job: the plan', { maxLength: 200 })),
      job: optional(string('With plan: the job whose changes are undone as one', { maxLength: 64 })),
      workspace,
      dryRun: optional(boolean('Only shows what would be restored')),
      force: optional(boolean('Undoes even if files changed since; the newer content is kept beside them')),
    },
    answers: {
      200: objectSchema({
        calls: array(string('Id of a call'), 'The calls, the newest first'),
        result: optional(result),
        check: optional(report),
      }),
    },
  },
} as const satisfies Record<string, Route>
