import type { ApprovalRequest, Reply } from '../../core/approval/approval.ts'
import type { GrantScope } from '../../core/approval/grant.ts'
import type { Screen } from '../layers/layer.ts'
import { type Choice, Picker } from '../layers/picker.ts'
import { limitChoices, limitsOf, scopeChoices } from './grant-choices.ts'

/** Lets the person choose which calls a grant covers, and then for how long. */
export function pickGrant(
  screen: Screen,
  request: ApprovalRequest,
  chosen: (grant: NonNullable<Extract<Reply, { approved: true }>['grant']>) => void,
): void {
  pick(screen, { title: 'Approve from now on', choices: scopeChoices(request) }, (scope) =>
    pick(screen, { title: 'For how long', choices: limitChoices(request) }, (limit) =>
      chosen({ scope: scope as GrantScope['kind'], ...limitsOf(limit) }),
    ),
  )
}

function pick(
  screen: Screen,
  shown: { readonly title: string; readonly choices: readonly Choice[] },
  chosen: (id: string) => void,
): void {
  const picker: Picker = new Picker({
    ...shown,
    chosen(id) {
      screen.close(picker)
      chosen(id)
    },
    closed: () => screen.close(picker),
  })
  screen.open(picker)
}
