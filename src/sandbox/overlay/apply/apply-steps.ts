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
import { createFolderCache } from '../../../files/folder-cache.ts'
import type { FolderCache } from '../../../files/workspace-root.ts'
import { NAMES } from '../run-folder.ts'
import {
  type ApplyLocation,
  applyCopy,
  countDone,
  forgetDone,
  type MovingStep,
  noteDone,
  revertCopy,
} from './apply-copies.ts'
import { forgetJournal, type Journal } from './journal.ts'
import type { Step } from './step.ts'

/** Applies every step that is not applied yet. When one fails, reverts all and throws. `isResumed` is true where another process may have applied some. */
export function applySteps(run: string, journal: Journal, isResumed: boolean): void {
  const { workspace, steps, apart } = journal
  const methods = apart ? COPYING : RENAMING
  const before = apart ? countDone(run) : 0
  let reached = before
  const made = new Set<string>()
  const at = { run, isResumed, isInNewFolder: (path: string) => made.has(dirname(path)) }
  using folders = createFolderCache()
  const inFolder = createFolderEntry(workspace, folders)
  try {
    for (const step of steps.slice(before)) {
      inFolder(step, (target) => {
        // A step whose folder is gone has done nothing, and cannot be reverted either.
        reached++
        if (step.step === 'folder' && makeFolder(step, target)) made.add(step.path)
        else if (step.step === 'mode') chmodSync(target, step.mode)
        else if (step.step === 'tree') moveTree(step, target, at)
        else if (step.step !== 'folder') methods.apply(step, target, at)
      })
      if (apart) noteDone(run)
    }
  } catch (error) {
    if (apart) forgetDone(run)
    try {
      for (const step of steps.slice(0, reached).reverse())
        inFolder(step, (target) => revert(step, { target, run }, (moving) => methods.revert(moving, target, run)))
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

/** Returns a function that works on an entry through the descriptor of its folder, after checking that no part of the path is a link. */
function createFolderEntry(workspace: string, folders: FolderCache) {
  const open = (parent: string): Descriptor => {
    const folder = openToLook(parent, constants.O_DIRECTORY | constants.O_NOFOLLOW)
    if (folder.where === parent) return folder
    folder[Symbol.dispose]()
    throw new ToolError('CONFLICT', `${parent} was moved while changes were applied.`)
  }
  return ({ step, path }: Step, work: (target: string) => void): void => {
    const parent = join(workspace, dirname(path))
    try {
      const folder = folders.get(parent, () => open(parent))
      work(below(folder, basename(path)))
      // It may have been the folder that is open.
      if (step === 'delete') folders.clear()
    } catch (error) {
      throw namePath(error, join(workspace, path))
    }
  }
}

/** Replaces the descriptor path in a system error by the real path. */
function namePath(error: unknown, path: string): unknown {
  return systemErrorName(error) === undefined ? error : Object.assign(error as Error, { path })
}

interface StepMethods {
  apply(step: MovingStep, target: string, at: ApplyLocation): void
  revert(step: MovingStep, target: string, run: string): void
}

const COPYING: StepMethods = { apply: applyCopy, revert: revertCopy }
const RENAMING: StepMethods = { apply: applyRename, revert: revertRename }

/** Makes a folder; false when it was there already. */
function makeFolder({ owner }: Extract<Step, { step: 'folder' }>, target: string): boolean {
  const isNew = !isThere(target)
  if (isNew) mkdirSync(target, 0o700)
  if (process.getuid?.() === 0) chownSync(target, owner.uid, owner.gid)
  return isNew
}

function applyRename(step: MovingStep, target: string, { run, isResumed, isInNewFolder }: ApplyLocation): void {
  const kept = join(run, NAMES.kept, `${step.kept}`)
  if (step.step === 'delete') {
    if (!isThere(kept) && isThere(target)) renameSync(target, kept)
    return
  }
  const source = join(run, step.from)
  if (isResumed && !isThere(source)) return
  if (!isInNewFolder(step.path)) keepLink(target, kept)
  renameSync(source, target)
}

/** Links what is replaced into the run folder, unless that was done before; the target keeps its name until the new file takes it. */
function keepLink(target: string, kept: string): void {
  try {
    linkSync(target, kept)
  } catch (error) {
    const errno = errnoOf(error) ?? ''
    if (errno === 'ENOENT' || errno === 'EEXIST') return
    if (!NO_HARD_LINKS.has(errno)) throw error
    if (isThere(target) && !isThere(kept)) renameSync(target, kept)
  }
}

/** Moves a new folder to where nothing is. */
function moveTree({ path, from }: TreeStep, target: string, { run, isResumed }: ApplyLocation): void {
  const source = join(run, from)
  if (isResumed && !isThere(source)) return
  if (isThere(target)) throw new ToolError('CONFLICT', `${path} was created while changes were applied.`)
  renameSync(source, target)
}

type TreeStep = Extract<Step, { step: 'tree' }>

function revert(
  step: Step,
  { target, run }: { readonly target: string; readonly run: string },
  moveBack: (step: MovingStep) => void,
): void {
  if (step.step === 'tree') {
    const source = join(run, step.from)
    if (!isThere(source) && isThere(target)) renameSync(target, source)
  } else if (step.step === 'mode') {
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
