import type { Decision } from '../../core/rules/rule.ts'
import type { PathUse } from '../shell/shell-reading.ts'
import type { PathZones } from './path-zones.ts'
import type { ZoneName } from './zones.ts'

/** A default rule as data. It applies when one effect of a call matches every member. */
export interface DefaultRule {
  readonly name: string
  readonly decision: Decision
  /** Shown to the model and the person. `{}` stands for the path or host that the rule is about. */
  readonly reason: string
  readonly acts?: readonly string[]
  readonly uses?: readonly PathUse[]
  readonly zones?: readonly ZoneName[]
  readonly except?: readonly ZoneName[]
  readonly areas?: readonly PathZones['area'][]
  /** True: only changes of what exists and may lose work. */
  readonly existing?: boolean
  /** True: not for folders that are created. */
  readonly exceptFolders?: boolean
  /** Zones of which the path merely contains a part, as the root folder contains everything. */
  readonly contains?: readonly ZoneName[]
  /** True: only effects on everything below a path. False: only effects on the path alone. */
  readonly tree?: boolean
  /** Ports that the call connects to; `*` is any port. */
  readonly ports?: readonly string[]
  readonly hosts?: RegExp
  /** Command lines that it matches, and similar ones that it does not. Checked by a test. */
  readonly examples: { readonly matches: readonly string[]; readonly not: readonly string[] }
}
