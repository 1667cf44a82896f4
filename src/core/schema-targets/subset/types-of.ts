import type { JsonSchema } from '../../text/json.ts'
import type { Subset } from '../target.ts'

/** Returns the types that a schema accepts, as it says or as its values show; undefined where any type is accepted. */
export function findTypes(schema: JsonSchema, { needsType }: Subset, onGuess: () => void): string[] | undefined {
  const { type, nullable, enum: values } = schema
  const given = [type].flat().filter((one) => typeof one === 'string')
  if (given.length > 0) {
    const isNullListed = !Array.isArray(values) || values.includes(null)
    const all = (nullable === true ? [...given, 'null'] : given).filter((one) => one !== 'null' || isNullListed)
    const accepted = all.length > 0 ? all : given
    return [...new Set(accepted.includes('number') ? accepted.filter((one) => one !== 'integer') : accepted)]
  }
  if (Array.isArray(values) && values.length > 0) return [...new Set(values.map(typeOf))]
  if (!needsType || !('properties' in schema)) return undefined
  onGuess()
  return ['object']
}

/** Returns one schema for each type but null, which is allowed in all of them where it is one of the types. */
export function splitByType(schema: JsonSchema, types: readonly string[]): readonly JsonSchema[] {
  const { enum: values, ...rest } = schema
  const nullable = types.includes('null')
  const branches = types.filter((type) => type !== 'null').map((type) => ({ ...rest, type, nullable }))
  if (!Array.isArray(values)) return branches
  return branches
    .map((branch) => ({ ...branch, enum: values.filter((value) => isOfType(value, branch.type)) }))
    .filter((branch) => branch.enum.length > 0)
    .map((branch) => ({ ...branch, enum: nullable ? [...branch.enum, null] : branch.enum }))
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}
