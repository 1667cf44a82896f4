import type { ValidCall } from '../../core/call/call.ts'
import type { Judgement, Opinion } from '../../core/rules/rule.ts'
import { DEFAULT_MODE } from '../../core/session/mode.ts'
import { isBelieved, type RegisteredTool } from '../../core/tool/snapshot.ts'
import { ABOUT_CHANGES, allowsSilent, answerByMode, MODE_RULES, PLAN_DENY } from './modes.ts'
import { onlyLooks } from './only-looks.ts'

/** Returns what the mode of a call makes of the opinions about it. */
export function inMode(call: ValidCall, judgement: Judgement): Judgement {
  const { entry, mode = DEFAULT_MODE } = call
  if (mode === DEFAULT_MODE || isPersonal(entry)) return judgement
  const { reading, opinions } = judgement
  if (MODE_RULES[mode].onlyLooks)
    return onlyLooks(call, reading) ? judgement : { ...judgement, opinions: [...opinions, PLAN_DENY] }
  const answered = answerByMode(opinions, mode, reading.commands.length > 0)
  return { ...judgement, opinions: answered, isAllowedByMode: allowsSilent(entry, mode) }
}

/** True for what people do themselves, such as undo. */
export function isPersonal({ tool, origin }: RegisteredTool): boolean {
  return tool.personal === true && isBelieved(origin)
}

/** Leaves out the default asks about changes for what people do themselves. */
export function withoutOwnAct(entry: RegisteredTool, opinions: readonly Opinion[]): readonly Opinion[] {
  return isPersonal(entry) ? opinions.filter(({ rule }) => !ABOUT_CHANGES.includes(rule)) : opinions
}
