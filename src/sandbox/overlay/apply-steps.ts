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
import { ToolError } from '../../core/result.ts'
import { below, type Descriptor, openToLook } from '../descriptor.ts'
import { errnoOf } from '../file-errors.ts'
import { NO_HARD_LINKS } from '../put-file.ts'
import { forgetJournal, type Journal, type Step } from './journal.ts'
import { NAMES } from './run-folder.ts'

/** Does every step that is not done yet; where one fails, takes back those that are, and throws. */
export function applySteps(run: string, journal: Journal): void {
  const done: Step[] = []
  try {
    for (const step of journal.steps) {
      done.push(step)
      inFolder(journal.workspace, step.path, (target) => apply(step, target, run))
    }
  } catch (error) {
    for (const step of done.reverse()) inFolder(journal.workspace, step.path, (target) => takeBack(step, target, run))
    forgetJournal(run)
    throw error
  }
}

/** Works on an entry through the descriptor of its folder, which lies just where its path says: no link is followed. */
function inFolder(workspace: string, path: string, work: (target: string) => void): void {
  const parent = join(workspace, dirname(path))
  using folder: Descriptor = openToLook(parent, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (folder.where !== parent) throw new ToolError('CONFLICT', `${dirname(path)} was moved while changes were applied.`)
  work(below(folder, basename(path)))
}

function apply(step: Step, target: string, run: string): void {
  if (step.step === 'mode') chmodSync(target, step.mode)
  else if (step.step === 'folder') {
    if (!isThere(target)) mkdirSync(target, 0o700)
    if (process.getuid?.() === 0) chownSync(target, step.owner.uid, step.owner.gid)
  } else if (step.step === 'delete') {
    const kept = join(run, NAMES.kept, `${step.kept}`)
    if (!isThere(kept) && isThere(target)) renameSync(target, kept)
  } else put(join(run, step.from), target, join(run, NAMES.kept, `${step.kept}`))
}

function put(source: string, target: string, kept: string): void {
  if (!isThere(source)) return
  if (isThere(target) && !isThere(kept)) keepLink(target, kept)
  renameSync(source, target)
}

/** A second name for what is replaced; the target keeps its own until the new one takes it. */
function keepLink(target: string, kept: string): void {
  try {
    linkSync(target, kept)
  } catch (error) {
    if (!NO_HARD_LINKS.has(errnoOf(error) ?? '')) throw error
    renameSync(target, kept)
  }
}

function takeBack(step: Step, target: string, run: string): void {
  if (step.step === 'mode') {
    if (step.before !== null && isThere(target)) chmodSync(target, step.before)
  } else if (step.step === 'folder') {
    if (isThere(target)) rmdirSync(target)
  } else {
    const kept = join(run, NAMES.kept, `${step.kept}`)
    const wasPut = step.step === 'put' && !isThere(join(run, step.from))
    if (isThere(kept)) renameSync(kept, target)
    else if (wasPut && isThere(target)) unlinkSync(target)
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
