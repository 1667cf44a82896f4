import type { Attachment } from '../session/message.ts'
import {
  array,
  boolean,
  integer,
  objectSchema,
  oneOf,
  optional,
  type Schema,
  schemaOf,
  string,
} from '../tool/schema.ts'
import { callRecord, done, event, eventStream, mode, names, result, session, time, workspace } from './answers.ts'
import type { Route } from './route.ts'
import { tool } from './tools.ts'

const id = string('Id of the session', { minLength: 1, maxLength: 200 })
const message = string('The message', { minLength: 1, maxLength: 1_000_000 })
const model = string('Model, as the settings and `haft models` name it', { minLength: 1, maxLength: 300 })
const eventId = string('Id of an event of the session', { minLength: 1, maxLength: 200 })

const attachment: Schema<Attachment> = schemaOf<Attachment>({
  name: string('File name', { maxLength: 300 }),
  mediaType: string('Media type, such as image/png', { maxLength: 200 }),
  content: string('Plain text, or base64 for anything else'),
  encoding: optional(oneOf(['base64'], 'How the content is written')),
})
const attachments = optional(array(attachment, 'Files and images', { maxItems: 50 }))

/** Messages may carry images. */
const MESSAGE_LIMIT = 25_000_000

const hit = objectSchema({
  session,
  message: optional(
    objectSchema({
      session: string('Id of the session'),
      event: string('Id of the event of the message'),
      role: oneOf(['user', 'assistant'], 'Who wrote it'),
      at: time('When it was written'),
      excerpt: string('The part around the first word that was found'),
    }),
  ),
})

const one = objectSchema({ session })

export const sessionRoutes = {
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    about: 'Lists sessions of every workspace and process, the last used first.',
    query: {
      workspace: optional(string('Only sessions of this folder', { maxLength: 4_096 })),
      parent: optional(string('Only sessions that this one started', { maxLength: 200 })),
      limit: optional(integer('At most so many; 100 when left out', { minimum: 1, maximum: 1_000 })),
    },
    answers: { 200: objectSchema({ sessions: array(session, 'The sessions') }) },
  },
  createSession: {
    method: 'POST',
    path: '/api/sessions',
    about:
      'Begins a session with its first message, and runs the model. Selections: absent means all, empty means none. A session that has any tool also has the control tools, unless `only` is true.',
    body: {
      message,
      attachments,
      model: optional(model),
      mode: optional(mode('Mode of the session')),
      workspace,
      tools: optional(names('Tools that the session may use')),
      mcpServers: optional(names('MCP servers that it may use')),
      only: optional({ const: true, description: 'Exactly the tools that `tools` names, without control tools' }),
      maxSteps: optional(integer('Replies of the model at most', { minimum: 1, maximum: 1_000 })),
    },
    bodyLimit: MESSAGE_LIMIT,
    answers: { 201: objectSchema({ session, event: string('Id of the event of the message') }) },
  },
  listSessionTools: {
    method: 'GET',
    path: '/api/sessions/{id}/tools',
    about: 'Lists the tools that a session has, control tools among them.',
    params: { id },
    answers: { 200: objectSchema({ tools: array(tool, 'The tools') }) },
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/{id}',
    about: 'Describes a session.',
    params: { id },
    answers: { 200: one },
  },
  changeSession: {
    method: 'PATCH',
    path: '/api/sessions/{id}',
    about: 'Changes title, model or mode, also while it runs: it counts from the next step on.',
    params: { id },
    body: {
      title: optional(string('Title', { minLength: 1, maxLength: 300 })),
      model: optional(model),
      mode: optional(mode('Mode')),
    },
    answers: { 200: one },
  },
  deleteSession: {
    method: 'DELETE',
    path: '/api/sessions/{id}',
    about: 'Deletes a session and those that it started; 409 while one of them runs.',
    params: { id },
    answers: { 200: done },
  },
  sendMessage: {
    method: 'POST',
    path: '/api/sessions/{id}/messages',
    about: 'Sends a message. It starts a run, or joins the one that is running.',
    params: { id },
    body: {
      message,
      attachments,
      model: optional(model),
      maxSteps: optional(integer('Replies of the model at most', { minimum: 1, maximum: 1_000 })),
    },
    bodyLimit: MESSAGE_LIMIT,
    answers: { 202: objectSchema({ session, event: string('Id of the event of the message') }) },
  },
  resumeSession: {
    method: 'POST',
    path: '/api/sessions/{id}/resume',
    about:
      'Goes on, without a message, with a run that reached its limit of steps, or whose process has died; 409 where there is none.',
    params: { id },
    answers: { 202: one },
  },
  stopSession: {
    method: 'POST',
    path: '/api/sessions/{id}/stop',
    about: 'Stops the run of a session, in whatever process it runs. The session can go on later.',
    params: { id },
    answers: { 200: done },
  },
  forkSession: {
    method: 'POST',
    path: '/api/sessions/{id}/fork',
    about: 'Copies a session up to an event into a new one. No call is run again.',
    params: { id },
    body: { event: eventId, before: optional(boolean('Leaves the event itself out')) },
    answers: { 201: one },
  },
  rewindSession: {
    method: 'POST',
    path: '/api/sessions/{id}/rewind',
    about:
      'Goes back to before a message, files and conversation together: undoes what later calls changed, and answers with a copy of the session up to there. With dryRun only shows the diff.',
    params: { id },
    body: {
      event: eventId,
      dryRun: optional(boolean('Only shows what would be restored')),
      force: optional(boolean('Undoes even if files changed since')),
    },
    answers: {
      200: objectSchema({
        calls: array(string('Id of a call'), 'Calls that are undone, the newest first'),
        result: optional(result),
        preview: optional(string('What would be restored, as a diff')),
        session: optional(session),
      }),
    },
  },
  followSession: {
    method: 'GET',
    path: '/api/sessions/{id}/events',
    about: 'Streams the events of a session, from the first or after Last-Event-ID.',
    params: { id },
    query: { after: optional(integer('Begins after this cursor', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER })) },
    isStream: true,
    answers: { 200: eventStream },
  },
  followAll: {
    method: 'GET',
    path: '/api/events',
    about:
      'Streams the events of every session from now on, or after Last-Event-ID; pieces of text only of the named sessions.',
    query: {
      sessions: optional(
        string('Ids of sessions, separated by commas, whose pieces of text are sent too', { maxLength: 8_000 }),
      ),
      after: optional(integer('Begins after this cursor', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    },
    isStream: true,
    answers: { 200: eventStream },
  },
  searchSessions: {
    method: 'GET',
    path: '/api/search',
    about: 'Finds sessions whose messages or title hold every word.',
    query: {
      q: string('Words', { minLength: 1, maxLength: 1_000 }),
      limit: optional(integer('At most so many; 20 when left out', { minimum: 1, maximum: 100 })),
    },
    answers: { 200: objectSchema({ hits: array(hit, 'The sessions') }) },
  },
  listCalls: {
    method: 'GET',
    path: '/api/log',
    about: 'Lists calls of all sessions, the newest first.',
    query: {
      q: optional(string('Only calls whose arguments, rule, answer or output hold every word', { maxLength: 1_000 })),
      session: optional(string('Only calls of this session', { maxLength: 200 })),
      tool: optional(string('Only calls of this tool', { maxLength: 300 })),
      decision: optional(oneOf(['allow', 'ask', 'deny'], 'Only calls that the rules decided like this')),
      outcome: optional(string('Only calls that ended like this: ok, or a code', { maxLength: 40 })),
      since: optional(
        integer('Only calls from this time on, in milliseconds since 1970', { minimum: 0, maximum: 1e15 }),
      ),
      before: optional(
        integer('Only calls before this cursor: that of the last one of the page before', {
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
        }),
      ),
      limit: optional(integer('At most so many; 100 when left out', { minimum: 1, maximum: 1_000 })),
    },
    answers: { 200: objectSchema({ calls: array(callRecord, 'The calls') }) },
  },
  listEvents: {
    method: 'GET',
    path: '/api/log/events',
    about: 'Lists events of one session or one call, in order.',
    query: {
      session: optional(string('Id of the session', { maxLength: 200 })),
      call: optional(string('Id of the call', { maxLength: 200 })),
      after: optional(integer('Only events after this cursor', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      limit: optional(integer('At most so many; 1,000 when left out', { minimum: 1, maximum: 10_000 })),
    },
    answers: { 200: objectSchema({ events: array(event, 'The events') }) },
  },
} as const satisfies Record<string, Route>
