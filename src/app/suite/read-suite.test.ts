import { expect, test } from 'vitest'
import { parseSuite, readSuite } from './read-suite.ts'

const TASK = '  - name: one\n    prompt: Do it.\n    verify: test -e done\n'

test('reads what a task says, and fills in the rest', () => {
  const text = `tasks:\n${TASK}  - name: two-2
    prompt: "Look"
    verify: 'true'
    files: { a.txt: "x\\n", sub/b.txt: "" }
    verify_files: { check.sh: "exit 0" }
    time_limit: 60
    max_steps: 5
    tools: [read_file]
    needs: [web_search]
    mode: plan\n`
  expect(parseSuite(text, 's.yaml').tasks).toEqual([
    { name: 'one', prompt: 'Do it.', verify: 'test -e done', files: {}, verifyFiles: {}, timeLimit: 300, needs: [] },
    {
      ...{ name: 'two-2', prompt: 'Look', verify: 'true', files: { 'a.txt': 'x\n', 'sub/b.txt': '' } },
      ...{ verifyFiles: { 'check.sh': 'exit 0' }, timeLimit: 60, maxSteps: 5 },
      ...{ tools: ['read_file'], needs: ['web_search'], mode: 'plan' },
    },
  ])
})

test.for([
  ['an empty file', '', /^s\.yaml:1:1: the file is empty; expected a list "tasks"/],
  ['no mapping', '- a\n', /^s\.yaml:1:1: the file: expected a mapping of tasks/],
  ['bad syntax', 'tasks:\n  - name: "one\n', /^s\.yaml:\d+:\d+: Missing closing "quote/],
  ['a tab', 'tasks:\n\t- x\n', /^s\.yaml:2:1: /],
  ['no tasks', 'tasks: []\n', /^s\.yaml:1:8: tasks: expected at least one task/],
  ['no list', 'tasks: 3\n', /^s\.yaml:1:8: tasks: expected a list/],
  ['another key', 'jobs: []\n', /^s\.yaml:1:1: the file: unknown key "jobs"; expected tasks/],
  [
    'a misspelt key',
    `tasks:\n${TASK}    verfy: x\n`,
    /^s\.yaml:5:5: task 1: unknown key "verfy"; did you mean verify\?/,
  ],
  ['a key twice', `tasks:\n${TASK}    name: b\n`, /^s\.yaml:5:5: Map keys must be unique/],
  ['no prompt', 'tasks:\n  - name: one\n    verify: x\n', /^s\.yaml:2:5: one: prompt is missing/],
  ['an empty prompt', 'tasks:\n  - name: one\n    prompt: " "\n    verify: x\n', /^s\.yaml:3:13: one: prompt is empty/],
  [
    'a number as text',
    `tasks:\n${TASK}    files: { a: 1 }\n`,
    /^s\.yaml:5:17: one: files: a: expected a text, got 1; put it in quotes/,
  ],
  [
    'a name with spaces',
    'tasks:\n  - { name: a b, prompt: x, verify: x }\n',
    /^s\.yaml:2:13: task 1: name: expected lower-case/,
  ],
  ['a name twice', `tasks:\n${TASK}${TASK}`, /^s\.yaml:5:5: task 2: the name one is taken already/],
  [
    'a path out',
    `tasks:\n${TASK}    files: { "../a": x }\n`,
    /^s\.yaml:5:22: one: files: "\.\.\/a" is not a path below/,
  ],
  [
    'a hidden path out',
    `tasks:\n${TASK}    files: { "a/../../b": x }\n`,
    /"a\/\.\.\/\.\.\/b" is not a path below the workspace/,
  ],
  [
    'an absolute path',
    `tasks:\n${TASK}    verify_files: { /etc/x: x }\n`,
    /"\/etc\/x" is not a path below the workspace/,
  ],
  [
    'no time',
    `tasks:\n${TASK}    time_limit: 0\n`,
    /^s\.yaml:5:17: one: time_limit: expected a whole number from 1 to 86400/,
  ],
  ['a mode', `tasks:\n${TASK}    mode: yolo\n`, /^s\.yaml:5:11: one: mode: expected plan, ask, review, edit, auto/],
] as const)('says where a suite is wrong: %s', ([, text, expected]) => {
  expect(() => parseSuite(text, 's.yaml')).toThrow(expected)
})

test('a file that is not there is named', () => {
  expect(() => readSuite('/nowhere/s.yaml')).toThrow(/^The suite \/nowhere\/s\.yaml cannot be read: /)
})
