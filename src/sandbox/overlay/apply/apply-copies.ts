import { appendFileSync, lstatSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lstatIfExists } from '../../../files/stat-path.ts'
import { NAMES } from '../run-folder.ts'
import { copyEntry } from './copy-entry.ts'
import type { Step } from './step.ts'

/** A step that moves an entry between the workspace and the run folder. */
export type MovingStep = Extract<Step, { step: 'put' | 'delete' }>

/** Copies what the steps will replace into the run folder, which is on another file system. Called before the journal is committed. */
export function keepCopies(steps: readonly Step[], workspace: string, run: string): void {
  const deleted = new Set(steps.filter(({ step }) => step === 'delete').map(({ path }) => path))
  for (const step of steps) {
    if (step.step !== 'delete' && step.step !== 'put') continue
    const isReplaced = step.step === 'delete' || !deleted.has(step.path)
    if (isReplaced && lstatIfExists(join(workspace, step.path)))
      copyEntry(join(workspace, step.path), keptOf(step, run))
  }
}

/** The run folder that steps are applied from. */
export interface ApplyLocation {
  readonly run: string
  /** True where another process may have applied some of the steps. */
  readonly isResumed: boolean
  /** True for a path directly in a folder that these steps have made, where nothing else can be. */
  isInNewFolder(path: string): boolean
}

/** Applies a step by copying. Can be repeated until the next step begins. */
export function applyCopy(step: MovingStep, target: string, { run }: ApplyLocation): void {
  if (step.step === 'delete') rmSync(target, { recursive: true, force: true })
  else copyEntry(join(run, step.from), target)
}

/** Restores what the step replaced, or removes what it added. */
export function revertCopy(step: MovingStep, target: string, run: string): void {
  const kept = keptOf(step, run)
  const stats = lstatSync(kept, { throwIfNoEntry: false })
  if (stats === undefined || stats.isDirectory()) rmSync(target, { recursive: true, force: true })
  if (stats !== undefined) copyEntry(kept, target)
}

/** Returns how many steps were applied before the process died. Renames show this by themselves, copies do not. */
export function countDone(run: string): number {
  return statSync(join(run, NAMES.done), { throwIfNoEntry: false })?.size ?? 0
}

/** Records that one more step was applied. */
export function noteDone(run: string): void {
  appendFileSync(join(run, NAMES.done), '.')
}

/** Resets the count of applied steps. */
export function forgetDone(run: string): void {
  writeFileSync(join(run, NAMES.done), '')
}

const keptOf = ({ kept }: MovingStep, run: string): string => join(run, NAMES.kept, `${kept}`)
