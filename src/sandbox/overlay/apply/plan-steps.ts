import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  lutimesSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { PLAIN_MODE } from '../changes/entries.ts'
import type { AppliedChange, Sides } from '../changes/find-changes.ts'
import { NAMES } from '../run-folder.ts'
import type { Step } from './step.ts'

/** Turns changes into steps: deletions first, folder modes last. Copies entries that cannot be renamed into the staging folder. */
export function planSteps(changes: readonly AppliedChange[], sides: Sides, run: string): Step[] {
  let number = 0
  const deletes: Step[] = []
  const makes: Step[] = []
  const modes: Step[] = []
  for (const change of changes) {
    const { path } = change
    if (change.kind === 'deleted') deletes.push({ step: 'delete', path, kept: ++number })
    else if (change.kind === 'mode')
      modes.push({ step: 'mode', path, mode: change.mode, before: modeOf(join(sides.lower, path)) })
    else if (change.type === 'folder') {
      makes.push({ step: 'folder', path, owner: change.owner })
      modes.push({ step: 'mode', path, mode: change.mode, before: null })
    } else {
      const from = change.inUpper ? join(NAMES.upper, path) : stage(join(sides.merged, path), run, ++number)
      makes.push({ step: 'put', path, from, kept: ++number })
      const mode = sides.unlocked.get(path)
      if (mode !== undefined) modes.push({ step: 'mode', path, mode: mode & PLAIN_MODE, before: null })
    }
  }
  return [...deletes, ...makes, ...modes.reverse()]
}

const modeOf = (path: string): number => statSync(path).mode & 0o7777

function stage(source: string, run: string, number: number): string {
  const name = join(NAMES.stage, `${number}`)
  const target = join(run, name)
  const stats = lstatSync(source)
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
  else {
    copyFileSync(source, target)
    chmodSync(target, stats.mode & PLAIN_MODE)
    lutimesSync(target, stats.atime, stats.mtime)
    if (process.getuid?.() === 0) chownSync(target, stats.uid, stats.gid)
  }
  return name
}
