import type { ClearedCall } from '../../core/call/call.ts'
import { decide } from '../../core/rules/decide.ts'
import type { Judge } from '../../core/rules/rule.ts'
import { connects } from '../../core/tool/touch.ts'

/** Returns why a running call may not connect to a host, or undefined. A host that the call was not cleared for, such as one that a server redirects to, needs a rule that allows it. */
export async function refuseHost(host: string, call: ClearedCall, judge: Judge): Promise<string | undefined> {
  const denied = judge.findDeny(call, connects(host))
  if (denied) return `Blocked by rule ${denied.rule}: ${denied.reason}.`
  if (call.hosts.includes(host)) return undefined
  const { opinions, isAllowedByMode } = await judge.judge(call, [connects(host)])
  const { decision } = decide(opinions)
  if (decision === 'allow' || (decision === 'silent' && isAllowedByMode)) return undefined
  return `${host} was not approved for this call, and no rule allows it.`
}
