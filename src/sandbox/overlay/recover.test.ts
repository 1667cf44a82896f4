import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Replaced } from '../../core/ports/files.ts'
import { applyPlan } from './apply/apply-plan.ts'
import { revertSteps } from './apply/apply-steps.ts'
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
  commitJournal(run, { workspace, steps: STEPS })
  die()
  expect(recoverRuns(runs)).toEqual([])
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('new')
  expect(existsSync(runs)).toBe(false)
})

const TREE: readonly Step[] = [{ step: 'tree', path: 'new', from: join(NAMES.upper, 'new') }]

/** The same run, which also wrote a folder. */
function openTree() {
  const opened = openRun()
  const folder = join(opened.run, NAMES.upper, 'new')
  mkdirSync(join(folder, 'deep'), { recursive: true })
  for (const file of ['b', 'deep/c']) writeFileSync(join(folder, file), file)
  return { ...opened, folder }
}

test('a folder is moved with all that is in it, and each entry is recorded before', () => {
  const { workspace, target } = openTree()
  const records: Replaced[] = []
  applyPlan({ ...target, replacedAll: (all) => void records.push(...all) }, TREE)
  expect(readFileSync(join(workspace, 'new/deep/c'), 'utf8')).toBe('deep/c')
  expect(records.map(({ path, before, after }) => [path, before, typeof after])).toEqual([
    ['new', null, 'object'],
    ['new/b', null, 'string'],
    ['new/deep', null, 'object'],
    ['new/deep/c', null, 'string'],
  ])
})

test('a folder that was moved before the process died stays, and the next start goes on', () => {
  const { workspace, runs, run, folder, die } = openTree()
  noteCall(run, 'call')
  commitJournal(run, { workspace, steps: [...TREE, ...STEPS] })
  renameSync(folder, join(workspace, 'new'))
  die()
  expect(recoverRuns(runs)).toEqual([])
  expect(readFileSync(join(workspace, 'new/b'), 'utf8')).toBe('b')
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('new')
})

test('a folder that was moved is moved back when a later step fails', () => {
  const { workspace, run, folder, target } = openTree()
  const failing: Step = { step: 'put', path: 'missing/a', from: join(NAMES.upper, 'a'), kept: 2 }
  expect(() => applyPlan(target, [...TREE, failing])).toThrow()
  expect(readdirSync(workspace)).toEqual([])
  expect(readFileSync(join(folder, 'deep/c'), 'utf8')).toBe('deep/c')
  expect(existsSync(join(run, NAMES.journal))).toBe(false)
})

test('what could not be reverted is tried again at every start, until it is', () => {
  const { workspace, runs, run, die } = openRun()
  const step: Step = { step: 'delete', path: 'sub/old', kept: 1 }
  writeFileSync(join(run, NAMES.kept, '1'), 'old')
  noteCall(run, 'call')
  expect(() => revertSteps(run, { workspace, steps: [step] })).toThrow(/1 of them could not be reverted/)
  die()
  expect(recoverRuns(runs)).toEqual([])
  mkdirSync(join(workspace, 'sub'))
  expect(recoverRuns(runs)).toEqual(['call'])
  expect(readFileSync(join(workspace, 'sub/old'), 'utf8')).toBe('old')
  expect(existsSync(runs)).toBe(false)
})

test('a folder is not moved onto one that somebody made meanwhile', () => {
  const { workspace, target } = openTree()
  mkdirSync(join(workspace, 'new'))
  expect(() => applyPlan(target, TREE)).toThrow(/was created while changes were applied/)
  expect(readdirSync(join(workspace, 'new'))).toEqual([])
})
