import type { Judgement, Opinion } from '../../core/rules/rule.ts'
import { resolvePath } from '../../core/text/paths.ts'
import { describeTouch, type NamedTouch, type Touch } from '../../core/tool/touch.ts'
import { type Existence, startExistence } from '../existence.ts'
import { unmarked } from '../shell/marks.ts'
import type { ShellEffect } from '../shell/shell-reading.ts'
import { opinionsOf } from './judge-shell.ts'
import type { JudgeLocation } from './path-zones.ts'

/** Rules that apply only to shells; file tools are confined to the workspace in another way. */
const SHELL_ONLY = /^ask_(outside|network|unknown)/

/** Reads and judges a call without command lines. Needs no lazy import; never throws. */
export function readNamed(
  touches: readonly NamedTouch[],
  location: JudgeLocation,
  existence: Existence = startExistence(location.lookup, location.workspace),
): Judgement {
  const words = touches.map(describeTouch)
  const reading = { touches, commands: [], acts: [], isClear: true, words, needsNetwork: false }
  const opinions = judgeTouches(touches, location, existence)
  return { reading, opinions, learned: existence.learned }
}

/** Returns the opinions of the default rules about the paths and hosts that a tool names; empty when no rule applies. */
export function judgeTouches(
  touches: readonly Touch[],
  location: JudgeLocation,
  existence: Existence,
): readonly Opinion[] {
  const effects = touches.flatMap((touch) => effectOf(touch, location) ?? [])
  return opinionsOf(effects, location, existence).filter((opinion) => !SHELL_ONLY.test(opinion.rule))
}

function effectOf(touch: Touch, location: JudgeLocation): ShellEffect | undefined {
  if (touch.kind === 'runs') return undefined
  if (touch.kind === 'connects') {
    const [, host = touch.host, port = ''] = /^(.*?)(?::(\d+))?$/.exec(touch.host) ?? []
    return { kind: 'connects', host, port }
  }
  const path = resolvePath(location.workspace, unmarked(touch.path))
  return { kind: touch.kind, path, tree: false, isEveryday: touch.kind === 'deletes' && touch.isMove === true }
}
