import type { Opinion } from '../../core/rule.ts'
import { dials, reads, type Touch, writes } from '../../core/touch.ts'
import { showText } from '../shell/marks.ts'
import { describeEffect, readShell } from '../shell/read-shell.ts'
import type { ShellCommand, ShellEffect } from '../shell/shell-reading.ts'
import { type JudgePlace, judgeShell } from './judge-shell.ts'
import { judgeTouches } from './judge-touches.ts'

/** What the defaults make of a call's touches. */
export interface DefaultJudgement {
  readonly opinions: readonly Opinion[]
  /** The touches, and those that its command lines would make. */
  readonly touches: readonly Touch[]
  /** Every simple command of its command lines: what `forbidden` names and filters are matched against. */
  readonly commands: readonly ShellCommand[]
  /** What its command lines would do, in words. */
  readonly effects: readonly string[]
}

/** Asks the default rules about a call: paths and hosts as they are, command lines through the shell reader. Never throws. */
export function defaultOpinions(touches: readonly Touch[], place: JudgePlace): DefaultJudgement {
  const readings = touches.flatMap((touch) => (touch.kind === 'runs' ? [readShell(touch.command, place)] : []))
  const effects = readings.flatMap((reading) => reading.effects)
  return {
    opinions: [...judgeTouches(touches, place), ...readings.flatMap((reading) => judgeShell(reading, place))],
    touches: [...touches, ...effects.flatMap((effect) => touchOf(effect, place))],
    commands: readings.flatMap((reading) => reading.commands),
    effects: effects.map(describeEffect),
  }
}

/** The touch of an effect: relative to the workspace where the path lies in it; unknown parts are shown as `…`. */
function touchOf(effect: ShellEffect, { workspace }: JudgePlace): Touch[] {
  if (effect.kind === 'act') return []
  if (effect.kind === 'dials') return [dials(showText(effect.host))]
  const path = showText(effect.path)
  const relative = path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path === workspace ? '.' : path
  return [effect.kind === 'writes' || effect.kind === 'deletes' ? writes(relative) : reads(relative)]
}
