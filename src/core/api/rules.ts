import type { Rule } from '../rules/rule.ts'
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
  string,
} from '../tool/schema.ts'
import { EFFECTS } from '../tool/tool.ts'
import { done, mode, workspace } from './answers.ts'
import type { Route } from './route.ts'

const decision = oneOf(['allow', 'ask', 'deny'], 'What it decides')
const LAYERS = ['defaults', 'user', 'project', 'grants', 'untrusted project'] as const
const calls = (description: string) =>
  optional(
    array(string('A call: `write_file {"path":"a"}`', { minLength: 1, maxLength: 2_000 }), description, {
      maxItems: 50,
    }),
  )
const texts = (description: string) =>
  optional(array(string('A pattern', { minLength: 1, maxLength: 1_000 }), description, { minItems: 1, maxItems: 200 }))

/** The members of a rule. */
const ruleMembers = {
  name: string('Name of the rule', { minLength: 1, maxLength: 200 }),
  decision,
  reason: optional(string('Shown to the model and the person', { maxLength: 1_000 })),
  tools: texts('Tool names'),
  origins: optional(
    array(oneOf(['built-in', 'code', 'user', 'project', 'mcp'], 'An origin'), 'Where tools come from', {
      minItems: 1,
    }),
  ),
  effects: optional(array(oneOf(EFFECTS, 'An effect'), 'What tools may do', { minItems: 1 })),
  reads: texts('Paths that are read'),
  writes: texts('Paths that are changed'),
  deletes: texts('Paths that are deleted'),
  paths: texts('Paths that are touched'),
  hosts: texts('Host names'),
  commands: texts('Patterns on each command'),
  prefixes: optional(
    array(
      array(string('A word', { minLength: 1, maxLength: 1_000 }), 'First words of a command', {
        minItems: 1,
        maxItems: 50,
      }),
      'First words of commands',
      { minItems: 1, maxItems: 200 },
    ),
  ),
  forbidden: texts('Names of commands'),
  main: texts('Patterns on the main parameter'),
  arguments: optional(record(string('A pattern', { maxLength: 1_000 }), 'Patterns on parameters')),
  examples: optional(
    objectSchema({
      allow: calls('Calls that an allow rule matches'),
      ask: calls('Calls that an ask rule matches'),
      deny: calls('Calls that a deny rule matches'),
      not: calls('Calls that it does not match'),
    }),
  ),
} as const

const inForce = objectSchema({
  layer: oneOf(LAYERS, 'Where it counts'),
  source: string('Where it comes from'),
  isManaged: boolean('True if it was added by a page and can be removed by one'),
  rule: anything<Pick<Rule, 'name' | 'decision' | 'reason' | 'examples'>>('`{name, decision, reason, …conditions}`'),
  mode: optional(mode('The mode whose rule it is')),
  isAnswered: optional(boolean('True where the mode answers its ask with yes')),
  decided: integer('How many calls of the last 30 days it decided, in all workspaces'),
})

const verdict = objectSchema({
  decision: oneOf(['allow', 'ask', 'deny'], 'The decision'),
  rule: string('The rule that decided'),
  reason: string('Why'),
})

export const ruleRoutes = {
  listRules: {
    method: 'GET',
    path: '/api/rules',
    about: 'Lists all rules that count in a workspace, the weakest layer first.',
    query: { workspace, mode: optional(mode('The defaults as they are in this mode')) },
    answers: { 200: objectSchema({ mode: mode('The mode of the workspace'), rules: array(inForce, 'The rules') }) },
  },
  addRule: {
    method: 'POST',
    path: '/api/rules',
    about: 'Adds a rule of your own, in every workspace. settings.toml is not changed.',
    body: ruleMembers,
    answers: { 201: done },
  },
  removeRule: {
    method: 'DELETE',
    path: '/api/rules/{name}',
    about: 'Removes a rule that was added by a page or a command.',
    params: { name: string('Name of the rule', { minLength: 1, maxLength: 300 }) },
    answers: { 200: done },
  },
  replayRules: {
    method: 'POST',
    path: '/api/rules/replay',
    about:
      'Judges the calls of the log in a workspace again by the rules of now, or with one more rule: then only calls that it would decide differently are listed, and its examples are tested. Runs nothing.',
    query: { workspace },
    body: {
      rule: optional(objectSchema(ruleMembers)),
      days: optional(number('Only calls of so many days', { minimum: 0.01, maximum: 10_000 })),
    },
    answers: {
      200: objectSchema({
        judged: integer('How many calls were judged again'),
        examples: optional(
          array(
            objectSchema({
              example: string('The example'),
              holds: boolean('True if the rule does with it what the example says'),
              text: string('What is wrong with it'),
            }),
            'The examples of the rule',
          ),
        ),
        changes: array(
          objectSchema({
            call: string('Id of the call'),
            session: string('Id of the session'),
            tool: string('Name of the tool'),
            arguments: anything('Its arguments, masked'),
            was: verdict,
            now: verdict,
            ran: boolean('True if it ran'),
          }),
          'Calls that would be decided differently',
        ),
        skipped: array(
          objectSchema({ call: string('Id'), tool: string('Tool'), reason: string('Why') }),
          'Calls that could not be judged',
        ),
      }),
    },
  },
} as const satisfies Record<string, Route>
