import { wireNameOf } from '../tool/wire-name.ts'
import type { TargetName } from './target.ts'
import { TARGETS } from './targets.ts'

/** Returns the names of tools for a target, in the order of their wire names: the wire name where it is legal, else a legal one that no other tool has. */
export function nameFor(wireNames: readonly string[], target: TargetName): readonly string[] {
  const taken = new Set(wireNames)
  return wireNames.map((wireName) => {
    if (TARGETS[target].toolName.test(wireName)) return wireName
    const name = wireNameOf(`_${wireName}`, (one) => taken.has(one))
    taken.add(name)
    return name
  })
}
