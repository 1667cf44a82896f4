import type { ApprovalRequest, Reply } from '../../core/approval/approval.ts'
import type { GrantScope } from '../../core/approval/grant.ts'
import type { Screen } from '../layers/layer.ts'
import { openPicker } from '../layers/picker.ts'
import { limitChoices, limitsOf, scopeChoices } from './grant-choices.ts'

/** Lets the person choose which calls a grant covers, and then for how long. */
export function pickGrant(
  screen: Screen,
  request: ApprovalRequest,
  chosen: (grant: NonNullable<Extract<Reply, { approved: true }>['grant']>) => void,
): void {
  openPicker(screen, {
    title: 'Approve from now on',
    choices: scopeChoices(request),
    chosen: (scope) =>
      openPicker(screen, {
        title: 'For how long',
        choices: limitChoices(request),
        chosen: (limit) => chosen({ scope: scope as GrantScope['kind'], ...limitsOf(limit) }),
      }),
  })
}
