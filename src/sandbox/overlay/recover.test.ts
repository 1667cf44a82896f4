import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { applyPlan } from './apply/apply-plan.ts'
import { commitJournal, noteCall } from './apply/journal.ts'
import type { Step } from './apply/step.ts'
import { recoverRuns } from './recover.ts'
import { makeRunFolder, NAMES } from './run-folder.ts'

const STEPS: readonly Step[] = [{ step: 'put', path: 'a', from: join(NAMES.upper, 'a'), kept: 1 }]

/** A workspace and the folder of a run that wrote one file. */
function openRun() {
  const base = mkdtempSync(join(tmpdir(), 'haft-recover-'))
  const [workspace, runs] = [join(base, 'workspace'), join(base, 'home', 'runs')]
  mkdirSync(workspace)
  const { path: run } = makeRunFolder(runs, workspace)
  writeFileSync(join(run, NAMES.upper, 'a'), 'new')
  const target = { workspace, run, call: 'call', apart: false, keptLimit: 1_000, replaced: () => undefined }
  /** Gives the run folder the name of a process that is gone. */
  const die = () => renameSync(run, join(dirname(run), '4194305-1-1'))
  return { workspace, runs, run, target, die }
}

test('a process that dies after everything was applied leaves a call that can still be undone', () => {
  const { workspace, runs, target, die } = openRun()
  applyPlan(target, STEPS)
  die()
  expect(recoverRuns(runs)).toEqual([])
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('new')
})

test('a process that dies before the journal is committed leaves a call that changed nothing', () => {
  const { workspace, runs, run, die } = openRun()
  noteCall(run, 'call')
  die()
  expect(recoverRuns(runs)).toEqual(['call'])
  expect(existsSync(join(workspace, 'a'))).toBe(false)
})

test('a process that dies once the journal is committed leaves changes that the next start applies', () => {
  const { workspace, runs, run, die } = openRun()
  noteCall(run, 'call')
  commitJournal(run, { workspace, steps: STEPS, apart: false })
  die()
  expect(recoverRuns(runs)).toEqual([])
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('new')
  expect(existsSync(runs)).toBe(false)
})
