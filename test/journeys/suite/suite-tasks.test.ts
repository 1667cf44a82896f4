import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSuite } from '../../../src/app/suite/read-suite.ts'
import { runSuite } from '../../../src/app/suite/run-suite.ts'
import type { TaskReport } from '../../../src/app/suite/suite.ts'
import { createHost, defineTool, objectSchema, openHome, string } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const suite = readSuite(join(root, 'examples/suite.yaml'))

const webSearch = defineTool({
  name: 'web_search',
  description: 'Finds nothing.',
  input: objectSchema({ query: string('Words') }),
  effect: 'none',
  execute: () => 'Nothing was found.',
})

/** True where Haft itself has the tool. */
async function hasTool(name: string): Promise<boolean> {
  const host = await createHost({ workspace: temporaryFolder(), storage: 'memory', toolFolders: false })
  try {
    return host.registry.snapshot().find(name) !== undefined
  } finally {
    await host.close()
  }
}

/** Runs one task of the suite with the recorded replies of a folder. */
async function runRecorded(name: string, folder: string): Promise<TaskReport | undefined> {
  const tasks = suite.tasks.filter((task) => task.name === name)
  const tools = (await hasTool('web_search')) ? [] : [webSearch]
  const home = temporaryFolder()
  const model = `replay:${join(root, 'test/data/suite', folder)}`
  const { signal } = new AbortController()
  const [report] = await runSuite({ tasks }, () => openHome({ home, tools }), { models: [model], signal })
  return report
}

test('S3.7 the suite has its eighteen tasks', () => {
  expect(suite.tasks.map(({ name }) => name)).toEqual([
    ...['python-script', 'config-file', 'shell-script', 'data-transformation', 'error-handling', 'multi-file-project'],
    ...['debugging', 'output-format', 'api-client', 'parser', 'refactoring', 'async-code', 'sql', 'command-line-tool'],
    ...['web-search', 'config-migration', 'research-note', 'organising-files'],
  ])
})

// A task is run only after its verify command has failed on the files as they are given: a pass shows both.
test.for(suite.tasks.map(({ name }) => name))(
  'S3.7 %s: verify fails before, passes after a right solution and fails after a wrong one',
  { timeout: 60_000 },
  async (name) => {
    const right = await runRecorded(name, 'right')
    expect(right).toMatchObject({ task: name, state: 'passed', reason: '', repairs: 0 })
    expect(right?.steps).toBeGreaterThan(0)
    expect(right?.tokens).toBeGreaterThan(0)
    expect(right).not.toHaveProperty('workspace')
    const wrong = await runRecorded(name, 'wrong')
    expect(wrong).toMatchObject({ task: name, state: 'failed', reason: 'verify ended with exit code 1' })
  },
)
