import {
  chmodSync,
  chownSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf, ToolError } from '../../../core/call/result.ts'
import { systemErrorName } from '../../../core/text/system-errors.ts'
import { NO_HARD_LINKS } from '../../../files/change/write-file.ts'
import { below, type Descriptor, openToLook } from '../../../files/descriptor.ts'
import { errnoOf } from '../../../files/file-errors.ts'
import { NAMES } from '../run-folder.ts'
import { applyCopy, countDone, forgetDone, type MovingStep, noteDone, revertCopy } from './apply-copies.ts'
import { forgetJournal, type Journal, type Step } from './journal.ts'

/** Applies every step that is not applied yet. When one fails, reverts all and throws. */
export function applySteps(run: string, journal: Journal): void {
  const { workspace, steps, apart } = journal
  const methods = apart ? COPYING : RENAMING
  const before = apart ? countDone(run) : 0
  const done: Step[] = steps.slice(0, before)
  try {
    for (const step of steps.slice(before)) {
      done.push(step)
      inFolder(workspace, step.path, (target) => apply(step, target, (moving) => methods.apply(moving, target, run)))
      if (apart) noteDone(run)
    }
  } catch (error) {
    if (apart) forgetDone(run)
    try {
      for (const step of done.reverse())
        inFolder(workspace, step.path, (target) =>
          revert(step, target, (moving) => methods.revert(moving, target, run)),
        )
    } catch (failed) {
      throw halfApplied(failed)
    }
    forgetJournal(run)
    throw error
  }
}

function halfApplied(failed: unknown): ToolError {
  return new ToolError(
    'EXECUTION_ERROR',
    `Only some of the command’s changes could be applied, and they could not all be reverted: ${messageOf(failed)}. Check the workspace before you continue.`,
  )
}

/** Works on an entry through the descriptor of its folder, after checking that no part of the path is a link. */
function inFolder(workspace: string, path: string, work: (target: string) => void): void {
  const parent = join(workspace, dirname(path))
  try {
    using folder: Descriptor = openToLook(parent, constants.O_DIRECTORY | constants.O_NOFOLLOW)
    if (folder.where !== parent)
      throw new ToolError('CONFLICT', `${dirname(path)} was moved while changes were applied.`)
    work(below(folder, basename(path)))
  } catch (error) {
    throw namePath(error, join(workspace, path))
  }
}

/** Replaces the descriptor path in a system error by the real path. */
function namePath(error: unknown, path: string): unknown {
  return systemErrorName(error) === undefined ? error : Object.assign(error as Error, { path })
}

interface StepMethods {
  apply(step: MovingStep, target: string, run: string): void
  revert(step: MovingStep, target: string, run: string): void
}

const COPYING: StepMethods = { apply: applyCopy, revert: revertCopy }
const RENAMING: StepMethods = { apply: applyRename, revert: revertRename }

function apply(step: Step, target: string, move: (step: MovingStep) => void): void {
  if (step.step === 'mode') chmodSync(target, step.mode)
  else if (step.step === 'folder') {
    if (!isThere(target)) mkdirSync(target, 0o700)
    if (process.getuid?.() === 0) chownSync(target, step.owner.uid, step.owner.gid)
  } else move(step)
}

function applyRename(step: MovingStep, target: string, run: string): void {
  const kept = join(run, NAMES.kept, `${step.kept}`)
  if (step.step === 'put') put(join(run, step.from), target, kept)
  else if (!isThere(kept) && isThere(target)) renameSync(target, kept)
}

function put(source: string, target: string, kept: string): void {
  if (!isThere(source)) return
  if (isThere(target) && !isThere(kept)) keepLink(target, kept)
  renameSync(source, target)
}

/** Links the replaced file into the run folder; the target keeps its name until the new file takes it. */
function keepLink(target: string, kept: string): void {
  try {
    linkSync(target, kept)
  } catch (error) {
    if (!NO_HARD_LINKS.has(errnoOf(error) ?? '')) throw error
    renameSync(target, kept)
  }
}

function revert(step: Step, target: string, moveBack: (step: MovingStep) => void): void {
  if (step.step === 'mode') {
    if (step.before !== null && isThere(target)) chmodSync(target, step.before)
  } else if (step.step === 'folder') {
    if (isThere(target)) rmdirSync(target)
  } else moveBack(step)
}

function revertRename(step: MovingStep, target: string, run: string): void {
  const kept = join(run, NAMES.kept, `${step.kept}`)
  const wasPut = step.step === 'put' && !isThere(join(run, step.from))
  if (isThere(kept)) renameSync(kept, target)
  else if (wasPut && isThere(target)) unlinkSync(target)
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
