import type { ClearedCall } from '../../core/call/call.ts'
import { ToolError } from '../../core/call/result.ts'
import { readGitAddress } from '../../core/network/git-address.ts'
import type { Machine } from '../../core/ports/developer/machine.ts'
import type { Judge } from '../../core/rules/rule.ts'
import { connects } from '../../core/tool/touch.ts'

/** What a cleared call may do outside the sandbox. The host that it really pushes to is judged once more, since only preparing the call shows it. */
export function guardMachine(machine: Machine, call: ClearedCall, judge: Judge): Machine {
  return {
    processes: () => machine.processes(),
    push: async (order, signal) => {
      const host = readGitAddress(order.url)?.host ?? ''
      const denied = host === '' ? undefined : judge.findDeny(call, connects(host))
      if (denied) throw new ToolError('BLOCKED', `Blocked by rule ${denied.rule}: ${denied.reason}.`)
      return machine.push(order, signal)
    },
  }
}
