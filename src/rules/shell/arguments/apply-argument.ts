import type { Output, ShellState } from '../shell-state.ts'
import { CODE_ROLES } from './code-roles.ts'
import { EDITOR_ROLES } from './editor-roles.ts'
import { NETWORK_ROLES } from './network-roles.ts'
import { PATH_ROLES } from './path-roles.ts'
import type { RoleArgument, RoleReader } from './role.ts'
import { TOOL_ROLES } from './tool-roles.ts'

const ROLES: ReadonlyMap<string, RoleReader> = new Map(
  Object.entries({ ...PATH_ROLES, ...CODE_ROLES, ...EDITOR_ROLES, ...NETWORK_ROLES, ...TOOL_ROLES }),
)

/** Records what one word does by its role; returns what the command prints where an inner command decides that. */
export function applyArgument(state: ShellState, argument: RoleArgument): Output | undefined {
  const reader = ROLES.get(argument.role)
  if (reader === undefined) throw new Error(`no role is called ${argument.role}`)
  return reader(state, argument) ?? undefined
}
