import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeProblem, PlanError } from '../../core/plans/plan.ts'
import { checkPlan, type PlanWorld } from './check-plan.ts'
import { readPlan, readPlanData } from './read/read-plan.ts'

const WORLD: PlanWorld = {
  missingTool: (name) => (name === 'read_file' || name === 'shell' ? undefined : ['read_file']),
  missingServer: (name) => (name === 'github' ? undefined : []),
  denies: async (command) => (command.includes('rm -rf /') ? 'Blocked by rule no_wipe.' : undefined),
}

/** What is wrong with a plan, each problem as it is shown. */
async function problemsOf(text: string, file: string): Promise<readonly string[]> {
  try {
    const problems = await checkPlan(readPlan(text, file), WORLD)
    return problems.map((problem) => describeProblem(problem, file))
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown
    return thrown.problems.map((problem) => describeProblem(problem, file))
  }
}

const YAML = `goal: Port the mailer.
model: demo
mode: edit
tools: [read_file, shell]
mcpServers: [github]
manual: true
timeout: 60
jobs:
  - id: config
    prompt: Write the config.
    check: npx tsc --noEmit
  - id: smtp
    prompt: |
      Port smtp.js.
    dependsOn: [config]
    tools: [read_file]
    maxIterations: 3
    timeout: 600
    files: [src/smtp.js]
`

test('S0.13 a plan is read from YAML and JSON alike', async () => {
  const { plan } = readPlan(YAML, 'plan.yaml')
  expect(plan).toEqual({
    ...{ goal: 'Port the mailer.', model: 'demo', mode: 'edit', tools: ['read_file', 'shell'], mcpServers: ['github'] },
    ...{ manual: true, timeout: 60 },
    jobs: [
      { id: 'config', prompt: 'Write the config.', check: 'npx tsc --noEmit' },
      {
        ...{ id: 'smtp', prompt: 'Port smtp.js.\n', dependsOn: ['config'], tools: ['read_file'] },
        ...{ maxIterations: 3, timeout: 600, files: ['src/smtp.js'] },
      },
    ],
  })
  expect(readPlan(JSON.stringify(plan, null, 2), 'plan.json').plan).toEqual(plan)
  expect(readPlan(JSON.stringify(plan)).plan).toEqual(plan)
  expect(readPlanData(plan).plan).toEqual(plan)
  expect(await problemsOf(YAML, 'plan.yaml')).toEqual([])
})

const MARKDOWN = `---
model: demo
checkOff: true
---
# Port the mailer

All tests stay green.

- [x] Read the sources
- [ ] **smtp**: Port smtp.js
  and its retry logic.
  - check: \`npm test -- smtp\`
  - after: read-the-sources
  - tools: read_file, shell
  - maxIterations: 2

  Keep the exported names:
  - one: for the server
- [ ] Write the README

Text that belongs to no job.
`

test('S0.13 a plan is read from a Markdown checklist: items, their members, what is done already', async () => {
  const { plan } = readPlan(MARKDOWN, 'plan.md')
  expect(plan).toEqual({
    ...{ model: 'demo', checkOff: true, goal: 'Port the mailer\nAll tests stay green.' },
    jobs: [
      { id: 'read-the-sources', prompt: 'Read the sources', line: 9, isDone: true },
      {
        ...{ id: 'smtp', line: 10, check: 'npm test -- smtp', dependsOn: ['read-the-sources'] },
        prompt: 'Port smtp.js\nand its retry logic.\n\nKeep the exported names:\n- one: for the server',
        ...{ tools: ['read_file', 'shell'], maxIterations: 2 },
      },
      { id: 'write-the-readme', prompt: 'Write the README', line: 19 },
    ],
  })
  expect(readPlan(MARKDOWN).plan).toEqual(plan)
  expect(await problemsOf(MARKDOWN, 'plan.md')).toEqual([])
})

test('what looks like an item inside a code block is no job', () => {
  const text = '# Goal\n\n- [ ] **a**: Make a list:\n```\n- [ ] **b**: not a job\n```\n- [ ] **c**: next\n'
  const { jobs } = readPlan(text, 'plan.md').plan
  expect(jobs.map(({ id }) => id)).toEqual(['a', 'c'])
})

test.for([
  ['an empty file', '', 'p.yaml:1:1: the file is empty; expected goal and jobs'],
  [
    'no goal',
    'jobs:\n  - { id: a, prompt: x }\n',
    'p.yaml:1:1: goal is missing: one sentence on what the jobs are for',
  ],
  ['no jobs', 'goal: x\njobs: []\n', 'p.yaml:2:7: jobs: expected at least one job'],
  ['a misspelt key', 'goal: x\njobz: []\n', 'p.yaml:2:1: the file: unknown key "jobz"; did you mean jobs?'],
  [
    'an unknown tool of the plan',
    'goal: x\ntools: [raed_file]\njobs:\n  - { id: a, prompt: x }\n',
    'p.yaml:2:9: there is no tool "raed_file"; did you mean read_file?',
  ],
  [
    'an unknown tool of a job',
    'goal: x\njobs:\n  - id: a\n    prompt: x\n    tools:\n      - shell\n      - nope\n',
    'p.yaml:7:9: a: there is no tool "nope"; did you mean read_file?',
  ],
  [
    'an unknown MCP server',
    'goal: x\nmcpServers: [jira]\njobs:\n  - { id: a, prompt: x }\n',
    'p.yaml:2:14: there is no MCP server "jira"',
  ],
  [
    'an unknown dependency',
    'goal: x\njobs:\n  - { id: first, prompt: x }\n  - id: b\n    prompt: x\n    dependsOn: [frist]\n',
    'p.yaml:6:17: b: dependsOn: there is no job "frist"; did you mean first?',
  ],
  [
    'a cycle',
    'goal: x\njobs:\n  - id: a\n    prompt: x\n    dependsOn: [b]\n  - { id: b, prompt: x, dependsOn: [a] }\n',
    'p.yaml:5:16: jobs wait for each other: a → b → a',
  ],
  [
    'a job that waits for itself',
    'goal: x\njobs:\n  - { id: a, prompt: x, dependsOn: [a] }\n',
    'p.yaml:3:36: jobs wait for each other: a → a',
  ],
  [
    'an id twice',
    'goal: x\njobs:\n  - { id: a, prompt: x }\n  - { id: a, prompt: y }\n',
    'p.yaml:4:11: the id a is taken already by job 1',
  ],
  ['no id', 'goal: x\njobs:\n  - { prompt: x }\n', 'p.yaml:3:5: job 1: id is missing'],
  [
    'an odd id',
    'goal: x\njobs:\n  - { id: "a b", prompt: x }\n',
    'p.yaml:3:11: a b: id: expected letters, digits, "_", "-" and ".", at most 64',
  ],
  [
    'an empty prompt',
    'goal: x\njobs:\n  - id: a\n    prompt: " "\n',
    'p.yaml:4:13: a: prompt is missing: what should the sub-agent do?',
  ],
  ['no prompt', 'goal: x\njobs:\n  - id: a\n', 'p.yaml:3:5: a: prompt is missing: what should the sub-agent do?'],
  [
    'a check that a rule denies',
    'goal: x\njobs:\n  - id: a\n    prompt: x\n    check: rm -rf /\n',
    'p.yaml:5:12: a: the check may not run: Blocked by rule no_wipe.',
  ],
  [
    'a number out of range',
    'goal: x\njobs:\n  - { id: a, prompt: x, maxIterations: 0 }\n',
    'p.yaml:3:40: job 1: maxIterations: expected a whole number from 1 to 100',
  ],
  ['a mode', 'goal: x\nmode: yolo\njobs: []\n', 'p.yaml:2:7: mode: expected plan, ask, review, edit, auto'],
  [
    'files outside',
    'goal: x\njobs:\n  - { id: a, prompt: x, files: [ok.ts, ../b] }\n',
    'p.yaml:3:40: a: files: "../b" is not a path below the workspace',
  ],
] as const)('a wrong plan is named with line and column: %s', async ([, text, expected]) => {
  expect(await problemsOf(text, 'p.yaml')).toEqual([expected])
})

test.for([
  ['no item', '# Goal\n\ntext\n', ['p.md:1:1: jobs: expected at least one job']],
  ['a misspelt member', '# Goal\n- [ ] one\n  - chek: x\n', ['p.md:3:5: unknown key "chek"; did you mean check?']],
  [
    'a number',
    '# Goal\n- [ ] one\n  - timeout: soon\n',
    ['p.md:3:14: timeout: expected a whole number from 1 to 604800'],
  ],
  [
    'an unknown dependency',
    '# Goal\n- [ ] one\n  - after: two\n',
    ['p.md:3:12: one: dependsOn: there is no job "two"'],
  ],
  [
    'settings of the plan',
    '---\nmodel: demo\nmode: yolo\n---\n# Goal\n- [ ] one\n',
    ['p.md:3:7: mode: expected plan, ask, review, edit, auto'],
  ],
] as const)('a wrong checklist is named with line and column: %s', async ([, text, expected]) => {
  expect(await problemsOf(text, 'p.md')).toEqual(expected)
})

test('several problems are all named', async () => {
  const text = 'goal: x\njobs:\n  - { id: a, prompt: "", tools: [no], dependsOn: [b] }\n'
  expect(await problemsOf(text, 'p.yaml')).toHaveLength(3)
})

test('any text is a plan or a PlanError, never another error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .array(
            fc.constantFrom(
              '- [ ] a\n',
              '  - check: x\n',
              'goal: x\n',
              'jobs:\n',
              '  - id: a\n',
              '---\n',
              '```\n',
              '\t',
            ),
          )
          .map((parts) => parts.join('')),
      ),
      fc.constantFrom('p.yaml', 'p.md', undefined),
      async (text, file) => {
        try {
          await checkPlan(readPlan(text, file), WORLD)
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(PlanError)
        }
      },
    ),
  )
})
