import { join } from 'node:path'
import { createIsAtOrBelow } from '../../../files/stat-path.ts'
import type { AppliedChange } from '../changes/find-changes.ts'
import { NAMES } from '../run-folder.ts'
import { clearOverlayMarks } from './clear-overlay-marks.ts'
import type { Step } from './step.ts'

/** From how many steps on it is worth to prepare folders to be moved. */
const MANY_STEPS = 100

/** Replaces the steps for whole new folders by one that moves the folder: 100,000 files in 1,000 new folders need 1,000 renames. Returns the same steps where that saves little, or where folders cannot be moved. */
export function joinSteps(steps: readonly Step[], changes: readonly AppliedChange[], run: string): readonly Step[] {
  if (steps.length < MANY_STEPS) return steps
  const whole = changes.flatMap((change) => ('isWhole' in change && change.isWhole ? [change.path] : []))
  if (whole.length === 0 || !clearOverlayMarks(whole.map((path) => join(run, NAMES.upper, path)))) return steps
  const isMoved = createIsAtOrBelow(whole)
  return steps.flatMap((step): Step[] => {
    const { path } = step
    if (step.step === 'delete' || !isMoved(path)) return [step]
    const isFirst = step.step === 'folder' && !isMoved(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
    return isFirst ? [{ step: 'tree', path, from: join(NAMES.upper, path) }] : []
  })
}
