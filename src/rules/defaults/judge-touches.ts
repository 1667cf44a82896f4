import type { Judgement, Opinion } from '../../core/rules/rule.ts'
import { resolvePath } from '../../core/text/paths.ts'
import { describeTouch, type NamedTouch, type Touch } from '../../core/tool/touch.ts'
import { unmarked } from '../shell/marks.ts'
import type { ShellEffect } from '../shell/shell-reading.ts'
import { type JudgePlace, opinionsOf } from './judge-shell.ts'

/** Rules about how a shell reaches out; file tools are kept inside the workspace by other means. */
const SHELL_ONLY = /^ask_(outside|network|unknown)/

/** Reads a call that runs no command line, and asks the default rules about it. Needs nothing loaded; never throws. */
export function readNamed(touches: readonly NamedTouch[], place: JudgePlace): Judgement {
  const words = touches.map(describeTouch)
  const reading = { touches, commands: [], acts: [], isClear: true, words, needsNetwork: false }
  return { reading, opinions: judgeTouches(touches, place) }
}

/** What the default rules say of paths and hosts that a tool touches itself; empty when they are ordinary. */
export function judgeTouches(touches: readonly Touch[], place: JudgePlace): readonly Opinion[] {
  const effects = touches.flatMap((touch) => effectOf(touch, place) ?? [])
  return opinionsOf(effects, place).filter((opinion) => !SHELL_ONLY.test(opinion.rule))
}

function effectOf(touch: Touch, place: JudgePlace): ShellEffect | undefined {
  if (touch.kind === 'runs') return undefined
  if (touch.kind === 'connects') {
    const [, host = touch.host, port = ''] = /^(.*?)(?::(\d+))?$/.exec(touch.host) ?? []
    return { kind: 'connects', host, port }
  }
  return { kind: touch.kind, path: resolvePath(place.workspace, unmarked(touch.path)), tree: false }
}
