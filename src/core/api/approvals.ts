import type { Grant } from '../approval/grant.ts'
import type { TaskRecord } from '../call/task.ts'
import type { OpenInput } from '../input/input.ts'
import type { PendingFile } from '../ports/sandbox.ts'
import type { OpenDelegate } from '../tool/delegate.ts'
import {
  anything,
  array,
  boolean,
  integer,
  nullable,
  number,
  objectSchema,
  oneOf,
  optional,
  schemaOf,
  string,
} from '../tool/schema.ts'
import { approval, done, names, result, time } from './answers.ts'
import type { Route } from './route.ts'

const id = string('Id', { minLength: 1, maxLength: 300 })

const grant = schemaOf<Grant>({
  id: string('Id of the grant'),
  tool: string('Name of the tool'),
  workspace: string('Folder that it holds in'),
  scope: anything('Which calls it covers'),
  text: string('Which calls it covers, in words'),
  answers: names('Rules that it answers'),
  madeAt: time('When it was given'),
  session: optional(string('Session that it holds in')),
  until: optional(time('When it ends')),
  times: optional(integer('How often it can be used')),
  used: integer('How often it was used'),
})

const input = schemaOf<OpenInput>({
  input: string('Id of the question'),
  session: string('Id of the session'),
  call: string('Id of the call'),
  question: string('What is asked'),
  options: optional(array(string('An answer'), 'Answers to choose from')),
  isResult: optional({ const: true, description: 'The answer is the result of the call' }),
  askedAt: time('When it was asked'),
})

const delegate = schemaOf<OpenDelegate>({
  delegate: string('Id of the request'),
  session: string('Id of the session'),
  call: string('Id of the call'),
  effect: anything('`{kind: open|show-diff|close|notify, …}`'),
  askedAt: time('When it was asked'),
})

const task = schemaOf<TaskRecord>({
  task: string('Id of the task, which is that of its call'),
  session: string('Id of the session'),
  tool: string('Name of the tool'),
  arguments: string('Arguments as JSON text, masked and cut'),
  state: oneOf(['waiting', 'queued', 'running', 'ended'], 'Its state'),
  startedAt: time('When it began'),
  outcome: nullable(anything('`ok`, or the code of the failure')),
  duration: nullable(number('Milliseconds')),
})

const pendingFile = schemaOf<PendingFile>({
  path: string('Path, relative to the workspace'),
  kind: oneOf(['added', 'changed', 'deleted'], 'What the task did to it'),
  diff: string('The change against what lies there now, as a unified diff'),
  isConflicting: boolean('True where somebody else changed it since the task began'),
})

const paths = (description: string) => array(string('A path'), description)

export const approvalRoutes = {
  listApprovals: {
    method: 'GET',
    path: '/api/approvals',
    about: 'Lists the calls of every process that wait for approval, the oldest first.',
    answers: { 200: objectSchema({ approvals: array(approval, 'The approval requests') }) },
  },
  answerApproval: {
    method: 'POST',
    path: '/api/approvals/{id}',
    about: 'Answers an approval request. A second answer gets 409.',
    params: { id },
    body: {
      approved: boolean('True runs the call, false denies it'),
      modifiedArgs: optional(anything('Arguments to run instead')),
      reason: optional(string('With approved false: why, told to the model', { maxLength: 10_000 })),
      grant: optional(
        objectSchema({
          scope: oneOf(['exact', 'prefix', 'folder', 'host', 'tool'], 'Which of the offered grants'),
          times: optional(integer('Ends after so many uses', { minimum: 1, maximum: 1_000_000 })),
          minutes: optional(number('Ends after so many minutes', { minimum: 0.01, maximum: 1e7 })),
          session: optional(boolean('Only in the session that asked')),
          within: optional(oneOf(['job', 'plan'], 'Only in the job or plan that asked')),
        }),
      ),
      digest: optional(string('Digest of the request that was shown; another one gets 409', { maxLength: 200 })),
    },
    bodyLimit: 11_000_000,
    answers: {
      200: objectSchema({
        runs: oneOf(['asker', 'here'], 'Who runs the call: the process that asked, or this one where that is gone'),
        result: optional(result),
      }),
    },
  },
  checkApproval: {
    method: 'POST',
    path: '/api/approvals/{id}/check',
    about: 'Checks arguments that would replace those of the waiting call.',
    params: { id },
    body: { modifiedArgs: anything('Arguments to run instead') },
    bodyLimit: 11_000_000,
    answers: { 200: objectSchema({ problem: nullable(string('What is wrong with them')) }) },
  },
  dryRunApproval: {
    method: 'POST',
    path: '/api/approvals/{id}/dry-run',
    about: 'Shows what the waiting call would do. Nothing is applied.',
    params: { id },
    answers: { 200: result },
  },
  listGrants: {
    method: 'GET',
    path: '/api/grants',
    about: 'Lists the grants: remembered approvals.',
    answers: { 200: objectSchema({ grants: array(grant, 'The grants') }) },
  },
  revokeGrant: {
    method: 'DELETE',
    path: '/api/grants/{id}',
    about: 'Revokes a grant.',
    params: { id },
    answers: { 200: done },
  },
  listInputs: {
    method: 'GET',
    path: '/api/inputs',
    about: 'Lists the questions of tools that wait for an answer in words.',
    answers: { 200: objectSchema({ inputs: array(input, 'The questions') }) },
  },
  answerInput: {
    method: 'POST',
    path: '/api/inputs/{id}',
    about: 'Answers a question. A second answer gets 409.',
    params: { id },
    body: { answer: string('The answer', { maxLength: 100_000 }) },
    answers: { 200: done },
  },
  listDelegates: {
    method: 'GET',
    path: '/api/delegates',
    about: 'Lists what tools ask an app to open or show.',
    answers: { 200: objectSchema({ delegates: array(delegate, 'The requests') }) },
  },
  answerDelegate: {
    method: 'POST',
    path: '/api/delegates/{id}',
    about: 'Answers what a tool asked an app to do. A second answer gets 409.',
    params: { id },
    body: {
      done: boolean('True if the app did it'),
      text: optional(string('With done: what the tool is told', { maxLength: 10_000 })),
      reason: optional(string('Without done: why not', { maxLength: 10_000 })),
    },
    answers: { 200: done },
  },
  listTasks: {
    method: 'GET',
    path: '/api/tasks',
    about:
      'Lists background tasks of every process, the newest first. Those that have not ended are listed beyond the limit too.',
    query: {
      session: optional(string('Only tasks of this session', { maxLength: 200 })),
      limit: optional(integer('At most so many; 100 when left out', { minimum: 1, maximum: 10_000 })),
    },
    answers: { 200: objectSchema({ tasks: array(task, 'The tasks') }) },
  },
  getTask: {
    method: 'GET',
    path: '/api/tasks/{id}',
    about: 'Describes a task, with its output from an offset on, and its result once it has ended.',
    params: { id },
    query: { from: optional(integer('Offset in characters', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER })) },
    answers: {
      200: objectSchema({
        task,
        output: string('Its output'),
        next: integer('Offset of the next piece'),
        more: boolean('True if there is more'),
        result: optional(result),
      }),
    },
  },
  cancelTask: {
    method: 'DELETE',
    path: '/api/tasks/{id}',
    about: 'Asks for the end of a task, in whatever process it runs. 409 where it has ended.',
    params: { id },
    answers: { 200: done },
  },
  getPending: {
    method: 'GET',
    path: '/api/tasks/{id}/pending',
    about: 'Shows the changes of a task that wait to be applied, file by file; none where nothing waits.',
    params: { id },
    answers: { 200: objectSchema({ files: array(pendingFile, 'The files') }) },
  },
  applyTask: {
    method: 'POST',
    path: '/api/tasks/{id}/apply',
    about: 'Applies the changes of a task that could not be applied when it ended.',
    params: { id },
    body: { paths: optional(array(string('A path'), 'Only these, also where they conflict', { maxItems: 10_000 })) },
    answers: {
      200: objectSchema({
        added: paths('New files'),
        changed: paths('Changed files'),
        deleted: paths('Deleted files'),
      }),
    },
  },
  discardTask: {
    method: 'POST',
    path: '/api/tasks/{id}/discard',
    about: 'Discards the changes of a task that wait to be applied.',
    params: { id },
    answers: { 200: done },
  },
} as const satisfies Record<string, Route>
