import { resolvePath } from '../core/paths.ts'
import type { CallReading } from '../core/rule.ts'
import { describeTouch, reads, type Touch, writes } from '../core/touch.ts'
import type { JudgePlace } from './defaults/judge-shell.ts'
import { isConstant, showText, unmarked } from './shell/marks.ts'
import { describeEffect, readShell } from './shell/read-shell.ts'
import type { ShellEffect, ShellReading } from './shell/shell-reading.ts'

/** A call as rules read it, and its effects as the default rules do. */
export interface OpenedCall extends ShellReading {
  readonly reading: CallReading
}

/** Opens what a tool says it touches: command lines are read, paths made absolute. Never throws. */
export function openCall(touches: readonly Touch[], place: JudgePlace): OpenedCall {
  const lines = touches.flatMap((touch) => (touch.kind === 'runs' ? [readLine(touch, place)] : []))
  const commands = lines.flatMap((line) => line.commands)
  const inLines = lines.flatMap((line) => line.effects)
  const own = touches.flatMap((touch) => effectOf(touch, place))
  const reading: CallReading = {
    touches: [...touches, ...inLines.flatMap(touchOf)],
    commands,
    acts: inLines.flatMap((effect) => (effect.kind === 'act' ? [effect.act] : [])),
    isClear: inLines.every(isClear),
    words: [...touches.map(describeTouch), ...inLines.map(describeEffect)],
  }
  return { commands, effects: [...own, ...inLines], reading }
}

function readLine({ command, cwd }: Touch & { kind: 'runs' }, place: JudgePlace): ShellReading {
  return readShell(command, { ...place, cwd: cwd === undefined ? place.cwd : resolvePath(place.workspace, cwd) })
}

/** A tool's own touch as an effect; a command line is none by itself. */
function effectOf(touch: Touch, { workspace }: JudgePlace): ShellEffect[] {
  if (touch.kind === 'runs') return []
  if (touch.kind === 'dials') return [{ kind: 'dials', host: unmarked(touch.host), port: '' }]
  return [{ kind: touch.kind, path: resolvePath(workspace, unmarked(touch.path)), tree: false }]
}

const CHANGES: readonly ShellEffect['kind'][] = ['writes', 'deletes', 'links']

function touchOf(effect: ShellEffect): Touch[] {
  if (effect.kind === 'act') return []
  if (effect.kind === 'dials') return [{ kind: 'dials', host: showText(effect.host) }]
  return [CHANGES.includes(effect.kind) ? writes(showText(effect.path)) : reads(showText(effect.path))]
}

const UNTOLD: readonly string[] = ['unknown', 'unreadable', 'limit', 'hidden']

function isClear(effect: ShellEffect): boolean {
  if (effect.kind === 'act') return !UNTOLD.includes(effect.act)
  return isConstant(effect.kind === 'dials' ? effect.host : effect.path)
}
