import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFailure } from '../../../src/core/call/result.ts'
import { type Home, openHome } from '../../../src/index.ts'
import { done, jobModel } from '../../support/job-model.ts'

let root = ''
let home: Home

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-markdown-plans-')))
  home = await openHome({ home: join(root, 'home') })
})
afterAll(async () => {
  await home.close()
  rmSync(root, { recursive: true, force: true })
})

/** An empty workspace. */
function newWorkspace(): string {
  return mkdtempSync(join(root, 'w-'))
}

test('an item that is checked already is not run, and jobs that depend on it are', async () => {
  const worked: string[] = []
  const model = jobModel(({ job }) => {
    worked.push(job)
    return done('x')
  })
  const plan = '# Goal\n\n- [x] **a**: first\n- [ ] **b**: second\n  - after: a\n'
  const started = await home.plans.start({ workspace: newWorkspace(), plan, file: 'plan.md', model })
  if (isFailure(started)) throw new Error(started.text)
  const view = await started.rest
  expect(view).toMatchObject({ state: 'completed', text: '2 of 2 jobs done.' })
  expect(view.jobs[0]).toMatchObject({ state: 'completed', text: 'done before the plan began', iterations: [] })
  expect(worked).toEqual(['b'])
})

test('a Markdown plan is checked off job by job, also where a person edits it meanwhile; the plan runs as it was started', async () => {
  const workspace = newWorkspace()
  const file = join(workspace, 'plan.md')
  const text = '---\ncheckOff: true\n---\n# Goal\n\n- [ ] **a**: first\n- [ ] **b**: second\n- [ ] **c**: third\n'
  writeFileSync(file, text)
  const worked: string[] = []
  const model = jobModel(({ job, prompt }) => {
    worked.push(`${job} ${prompt.includes('changed') ? 'changed' : 'as started'}`)
    if (job === 'a')
      writeFileSync(
        file,
        '# Goal\n\nA new line.\n\n- [ ] **d**: new\n- [ ] **a**: first\n- [ ] **b**: second, changed\n',
      )
    return done('x')
  })
  const started = await home.plans.start({ workspace, plan: text, file, model })
  if (isFailure(started)) throw new Error(started.text)
  expect((await started.rest).state).toBe('completed')
  expect(worked).toEqual(['a as started', 'b as started', 'c as started'])
  expect(readFileSync(file, 'utf8')).toBe(
    '# Goal\n\nA new line.\n\n- [ ] **d**: new\n- [x] **a**: first\n- [x] **b**: second, changed\n',
  )
  const host = await home.host(workspace)
  await host.undo(await home.plans.undoable(started.id, 'b'), { decision: 'allow' })
  await host.close()
  expect(readFileSync(file, 'utf8')).toContain('- [ ] **b**')
})
