import type { Output, ShellState } from '../shell-state.ts'
import { ARCHIVE_ROLES } from './archive-roles.ts'
import { CODE_ROLES } from './code-roles.ts'
import { DATA_ROLES } from './data-roles.ts'
import { EDITOR_ROLES } from './editor-roles.ts'
import { NETWORK_ROLES } from './network-roles.ts'
import { PATH_ROLES } from './path-roles.ts'
import type { RoleArgument, RoleReader } from './role.ts'
import { TOOL_ROLES } from './tool-roles.ts'

const ROLES: ReadonlyMap<string, RoleReader> = new Map(
  Object.entries({
    ...PATH_ROLES,
    ...ARCHIVE_ROLES,
    ...CODE_ROLES,
    ...DATA_ROLES,
    ...EDITOR_ROLES,
    ...NETWORK_ROLES,
    ...TOOL_ROLES,
  }),
)

/** Records the effect of one word by its role; returns the output of the command when an inner command determines it. */
export function applyArgument(state: ShellState, argument: RoleArgument): Output | undefined {
  const reader = ROLES.get(argument.role)
  if (reader === undefined) throw new Error(`unknown role ${argument.role}`)
  return reader(state, argument) ?? undefined
}
