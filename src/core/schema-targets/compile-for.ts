import { deepFreeze, isRecord, type JsonSchema } from '../text/json.ts'
import { type Compiling, noteLoss, ROOT, startCompiling } from './compiling.ts'
import { joinAlternatives } from './join-alternatives.ts'
import { writeSubset } from './subset/write-subset.ts'
import type { CompiledSchema, Target, TargetName } from './target.ts'
import { TARGETS } from './targets.ts'

/** What was compiled of schemas that nobody can change: models are given the same tools turn after turn. */
const kept = new WeakMap<JsonSchema, Map<TargetName, CompiledSchema>>()

/** Compiles a tool's parameters for a target. What the target cannot express is among the losses, never dropped in silence. The schema given is not changed; for a frozen one the result is kept. */
export function compileFor(schema: JsonSchema, name: TargetName): CompiledSchema {
  if (!Object.isFrozen(schema)) return compile(schema, name)
  const byTarget = kept.get(schema) ?? new Map<TargetName, CompiledSchema>()
  kept.set(schema, byTarget)
  const compiled = byTarget.get(name) ?? deepFreeze(compile(schema, name))
  byTarget.set(name, compiled)
  return compiled
}

function compile(schema: JsonSchema, name: TargetName): CompiledSchema {
  const target = TARGETS[name]
  const compiling = startCompiling(schema)
  const root = nameParameters(writeRoot(schema, target, compiling), target, compiling)
  const written = target.subset === undefined ? root : writeSubset(root, target.subset, compiling)
  const { losses, refused, addedNulls } = compiling
  return { schema: written, losses, refused, addedNulls }
}

/** The root without keywords that the target refuses there. */
function writeRoot(schema: JsonSchema, { refusedAtRoot, subset }: Target, compiling: Compiling): JsonSchema {
  const isRefused = refusedAtRoot.some((keyword) => keyword in schema)
  if (!isRefused && subset === undefined) return schema
  const joined = joinAlternatives(schema, ROOT, compiling)
  const refused = Object.keys(joined).filter((keyword) => refusedAtRoot.includes(keyword))
  for (const keyword of refused) {
    noteLoss(compiling, {
      path: '',
      keyword,
      effect: 'looser',
      text: 'not taken at the root; checked when the call runs',
    })
  }
  return Object.fromEntries(Object.entries(joined).filter(([keyword]) => !refused.includes(keyword)))
}

/** Leaves out parameters whose names the target refuses: one of them would make it refuse every tool. */
function nameParameters(root: JsonSchema, { parameterName }: Target, compiling: Compiling): JsonSchema {
  const { properties, required } = root
  if (parameterName === undefined || !isRecord(properties)) return root
  const refused = Object.keys(properties).filter((name) => !parameterName.test(name))
  if (refused.length === 0) return root
  for (const name of refused) {
    const text = `its name does not match ${parameterName.source}; the parameter is left out`
    noteLoss(compiling, { path: name, keyword: 'properties', effect: 'tighter', text })
  }
  return {
    ...root,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !refused.includes(name))),
    ...(Array.isArray(required) && { required: required.filter((name) => !refused.includes(name)) }),
  }
}
