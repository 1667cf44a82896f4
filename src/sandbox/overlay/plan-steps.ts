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
import { type AppliedChange, PLAIN_MODE, type Sides } from './find-changes.ts'
import type { Step } from './journal.ts'
import { NAMES } from './run-folder.ts'

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
      clearSpecialBits(join(run, from))
      const mode = sides.unlocked.get(path)
      if (mode !== undefined) modes.push({ step: 'mode', path, mode: mode & PLAIN_MODE, before: null })
    }
  }
  return [...deletes, ...makes, ...modes.reverse()]
}

/** Removes the setuid, setgid and sticky bits of a file before it is moved into the workspace. */
function clearSpecialBits(path: string): void {
  const stats = lstatSync(path)
  if (stats.isFile() && (stats.mode & 0o7000) !== 0) chmodSync(path, stats.mode & PLAIN_MODE)
}

const modeOf = (path: string): number => statSync(path).mode & 0o7777

function stage(source: string, run: string, number: number): string {
  const name = join(NAMES.stage, `${number}`)
  const target = join(run, name)
  const stats = lstatSync(source)
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
  else {
    copyFileSync(source, target)
    lutimesSync(target, stats.atime, stats.mtime)
    if (process.getuid?.() === 0) chownSync(target, stats.uid, stats.gid)
  }
  return name
}
