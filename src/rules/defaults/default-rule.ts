import type { Decision } from '../../core/rules/rule.ts'
import type { PathUse } from '../shell/shell-reading.ts'
import type { PathZones } from './path-zones.ts'
import type { ZoneName } from './zones.ts'

/** A default rule as data: it speaks when one effect of a call fits everything it names. */
export interface DefaultRule {
  readonly name: string
  readonly decision: Decision
  /** Shown to the model and the person. */
  readonly reason: string
  readonly acts?: readonly string[]
  readonly uses?: readonly PathUse[]
  readonly zones?: readonly ZoneName[]
  readonly except?: readonly ZoneName[]
  readonly areas?: readonly PathZones['area'][]
  /** Only when everything below is meant, or only when it is not. */
  readonly tree?: boolean
  /** Ports that the call connects to; `*` is any port. */
  readonly ports?: readonly string[]
  readonly hosts?: RegExp
  /** Command lines it speaks of, and lookalikes it does not. Checked by a test. */
  readonly examples: { readonly matches: readonly string[]; readonly not: readonly string[] }
}
