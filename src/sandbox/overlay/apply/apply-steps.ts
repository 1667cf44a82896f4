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
import { commitJournal, forgetJournal, type Journal } from './journal.ts'
import type { Step } from './step.ts'

/** The folder that steps are applied from. */
interface ApplyLocation {
  readonly source: string
  /** True where another process may have applied some of the steps. */
  readonly isResumed: boolean
  /** True for a path directly in a folder that these steps have made, where nothing else can be. */
  isInNewFolder(path: string): boolean
}

/** Applies every step that is not applied yet. When one fails, reverts all and throws; what could not be reverted stays in the journal. `isResumed` is true where another process may have applied some. */
export function applySteps(run: string, journal: Journal, isResumed: boolean): void {
  const { workspace, steps, source = run } = journal
  let reached = 0
  const made = new Set<string>()
  const at = { source, isResumed, isInNewFolder: (path: string) => made.has(dirname(path)) }
  using folders = createFolderCache()
  const inFolder = createFolderEntry(workspace, folders)
  try {
    for (const step of steps) {
      inFolder(step, (target) => {
        // A step whose folder is gone has done nothing, and cannot be reverted either.
        reached++
        if (step.step === 'folder' && makeFolder(step, target)) made.add(step.path)
        else if (step.step === 'mode') chmodSync(target, step.mode)
        else if (step.step === 'tree') moveTree(step, target, at)
        else if (step.step !== 'folder') applyRename(step, target, at)
      })
    }
  } catch (error) {
    revertSteps(run, { ...journal, steps: steps.slice(0, reached) })
    throw error
  }
}

/** Reverts steps, the last first, by renames, which need no room on the disk, and forgets the journal. Keeps in it what could not be reverted, and throws. */
export function revertSteps(run: string, journal: Journal): void {
  const { workspace, steps, source = run } = journal
  using folders = createFolderCache()
  const inFolder = createFolderEntry(workspace, folders)
  const left: Step[] = []
  let problem: unknown
  for (const step of steps.toReversed()) {
    try {
      inFolder(step, (target) => revert(step, target, source))
    } catch (failed) {
      left.unshift(step)
      problem ??= failed
    }
  }
  if (left.length === 0) {
    forgetJournal(run)
    return
  }
  commitJournal(run, { ...journal, steps: left, isReverting: true })
  throw new ToolError(
    'EXECUTION_ERROR',
    `Only some of the command’s changes could be applied, and ${left.length} of them could not be reverted: ${messageOf(problem)}. Haft tries again at its next start here; "haft undo" restores the files too.`,
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

/** Makes a folder; false when it was there already. */
function makeFolder({ owner }: Extract<Step, { step: 'folder' }>, target: string): boolean {
  const isNew = !isThere(target)
  if (isNew) mkdirSync(target, 0o700)
  if (process.getuid?.() === 0) chownSync(target, owner.uid, owner.gid)
  return isNew
}

/** A step that moves an entry between the workspace and the folder that steps are applied from. */
type MovingStep = Extract<Step, { step: 'put' | 'delete' }>

function applyRename(
  step: MovingStep,
  target: string,
  { source: folder, isResumed, isInNewFolder }: ApplyLocation,
): void {
  const kept = join(folder, NAMES.kept, `${step.kept}`)
  if (step.step === 'delete') {
    if (!isThere(kept) && isThere(target)) renameSync(target, kept)
    return
  }
  const source = join(folder, step.from)
  if (isResumed && !isThere(source)) return
  if (!isInNewFolder(step.path)) keepLink(target, kept)
  renameSync(source, target)
}

/** Links what is replaced into the folder of what is kept, unless that was done before; the target keeps its name until the new file takes it. */
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
function moveTree({ path, from }: TreeStep, target: string, { source: folder, isResumed }: ApplyLocation): void {
  const source = join(folder, from)
  if (isResumed && !isThere(source)) return
  if (isThere(target)) throw new ToolError('CONFLICT', `${path} was created while changes were applied.`)
  renameSync(source, target)
}

type TreeStep = Extract<Step, { step: 'tree' }>

function revert(step: Step, target: string, folder: string): void {
  if (step.step === 'tree') {
    const source = join(folder, step.from)
    if (!isThere(source) && isThere(target)) renameSync(target, source)
  } else if (step.step === 'mode') {
    if (step.before !== null && isThere(target)) chmodSync(target, step.before)
  } else if (step.step === 'folder') removeUnlessFilled(target)
  else {
    const kept = join(folder, NAMES.kept, `${step.kept}`)
    const wasPut = step.step === 'put' && !isThere(join(folder, step.from))
    if (isThere(kept)) renameSync(kept, target)
    else if (wasPut && isThere(target)) unlinkSync(target)
  }
}

/** Removes a folder that a step made; it stays where others put something into it. */
function removeUnlessFilled(target: string): void {
  try {
    rmdirSync(target)
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY'].includes(errnoOf(error) ?? '')) throw error
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
