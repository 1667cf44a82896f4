import { isRecord, type JsonSchema } from '../../text/json.ts'
import { below, type Location, noteLoss } from '../compiling.ts'
import { isSame, listOf } from '../merge-schemas.ts'
import type { KeywordPlace } from './write-keywords.ts'
import { loseKeyword, refuse, type Writing } from './writing.ts'

/** Writes what a schema says of objects. */
export function writeObject(schema: JsonSchema, place: KeywordPlace, writing: Writing): JsonSchema {
  const { subset, compiling } = writing
  const { location } = place
  const given = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  compiling.propertyCount += given.length
  for (const [name] of given) compiling.textCount += name.length
  if (subset.limits && location.steps.filter((step) => step !== null).length >= subset.limits.depth)
    refuse(writing, location, `lies deeper than ${subset.limits.depth} levels`)
  const required = listOf(schema.required).filter((name) => typeof name === 'string')
  const properties: Record<string, JsonSchema> = {}
  for (const [name, property] of given) {
    const written = writing.write(property, below(location, name))
    if (written === undefined) loseFalse(below(location, name), writing)
    else define(properties, name, makeRequired(written, { name, required, location }, writing))
  }
  const others = writeOthers(schema, place, writing)
  const names = Object.keys(properties)
  const undefinedNames = required.filter((name) => !Object.hasOwn(properties, name))
  if (undefinedNames.length > 0) {
    const text = `${undefinedNames.join(', ')} is not among the properties; checked when the call runs`
    noteLoss(compiling, { path: location.path, keyword: 'required', effect: 'looser', text })
  }
  const wanted = subset.requiresAll ? names : required.filter((name) => Object.hasOwn(properties, name))
  return {
    ...((names.length > 0 || location.path === '' || subset.requiresAll) && { properties }),
    ...((wanted.length > 0 || subset.requiresAll) && { required: wanted }),
    ...others,
  }
}

/** Sets a property whatever its name is, `__proto__` too. */
function define(properties: Record<string, JsonSchema>, name: string, value: JsonSchema): void {
  Object.defineProperty(properties, name, { value, enumerable: true, configurable: true, writable: true })
}

interface Named {
  readonly name: string
  readonly required: readonly string[]
  readonly location: Location
}

/** Lets a property that may be left out be null where the target requires all of them. */
function makeRequired(written: JsonSchema, { name, required, location }: Named, writing: Writing): JsonSchema {
  const { subset, compiling } = writing
  if (!subset.requiresAll || required.includes(name)) return written
  const nullable = allowNull(written)
  const isAdded = !isSame(nullable, written)
  const { path, steps } = below(location, name)
  if (isAdded) compiling.addedNulls.push(steps)
  const text = isAdded ? 'required; null stands for leaving it out' : 'required; it can be null, but not be left out'
  noteLoss(compiling, { path, keyword: 'required', effect: 'tighter', text })
  return nullable
}

function allowNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) {
    const hasNull = schema.anyOf.some((branch) => isRecord(branch) && listOf([branch.type].flat()).includes('null'))
    return hasNull ? schema : { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  }
  return {
    ...schema,
    type: [...new Set([schema.type, 'null'].flat())],
    ...(Array.isArray(schema.enum) && { enum: [...new Set([...schema.enum, null])] }),
  }
}

/** Writes what becomes of keys that are not among the properties. */
function writeOthers(schema: JsonSchema, place: KeywordPlace, writing: Writing): JsonSchema {
  const { additionalProperties, patternProperties } = schema
  const how = writing.subset.additionalProperties
  if (how === 'closed') {
    closeOthers(schema, place, writing)
    return { additionalProperties: false }
  }
  if (patternProperties !== undefined) loseKeyword(['patternProperties', patternProperties], place, writing)
  const isOpen = additionalProperties === undefined || additionalProperties === true
  if (isOpen) return {}
  // With the patterns gone, a closed object would refuse the keys that they allow.
  if (how === 'any' && patternProperties === undefined) return writeAdditional(additionalProperties, place, writing)
  loseKeyword(['additionalProperties', additionalProperties], place, writing)
  return {}
}

function writeAdditional(given: unknown, { location }: KeywordPlace, writing: Writing): JsonSchema {
  return { additionalProperties: writing.write(given, below(location, '*')) ?? false }
}

/** Notes what is refused where every object must refuse unknown keys. */
function closeOthers(schema: JsonSchema, { location }: KeywordPlace, writing: Writing): void {
  const { additionalProperties, patternProperties, properties } = schema
  if (additionalProperties === false && patternProperties === undefined) return
  if (patternProperties !== undefined) refuse(writing, location, 'takes keys by pattern')
  else if (additionalProperties !== undefined || !isRecord(properties) || Object.keys(properties).length === 0)
    refuse(writing, location, 'takes any key')
  const text = 'keys that are not among the properties are refused'
  noteLoss(writing.compiling, { path: location.path, keyword: 'additionalProperties', effect: 'tighter', text })
}

function loseFalse(location: Location, { compiling }: Writing): void {
  const text = 'a property that accepts nothing is left out; checked when the call runs'
  noteLoss(compiling, { path: location.path, keyword: 'false', effect: 'looser', text })
}
