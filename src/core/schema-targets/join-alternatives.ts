import { isRecord, type JsonSchema } from '../text/json.ts'
import { type Compiling, type Location, noteLoss } from './compiling.ts'
import { closeUnevaluated, flattenSchema } from './flatten-schema.ts'
import { isSame, keysOf, listOf, mergeSchemas, schemaFor } from './merge-schemas.ts'

const UNIONS = ['anyOf', 'oneOf'] as const

/** Writes a root with alternatives as one object that has the properties of all of them: models see every parameter, and the pipeline checks which go together. */
export function joinAlternatives(schema: JsonSchema, location: Location, compiling: Compiling): JsonSchema {
  const flat = flattenSchema(schema, location, compiling)
  let joined = flat.schema
  for (const union of UNIONS) {
    if (!(union in joined)) continue
    const { [union]: branches, ...base } = joined
    const here = { ...location, references: flat.references }
    joined = joinUnion(base, { union, branches: listOf(branches) }, { location: here, compiling })
  }
  return closeUnevaluated(joined, location.path, compiling)
}

interface Union {
  readonly union: (typeof UNIONS)[number]
  readonly branches: readonly unknown[]
}

interface Joining {
  readonly location: Location
  readonly compiling: Compiling
}

function joinUnion(base: JsonSchema, { union, branches }: Union, { location, compiling }: Joining): JsonSchema {
  const { path } = location
  noteLoss(compiling, {
    path,
    keyword: union,
    effect: 'looser',
    text: 'the alternatives are written as one object; which parameters go together is checked when the call runs',
  })
  const { unevaluatedProperties, ...plain } = base
  const onDropped = (keyword: string) =>
    noteLoss(compiling, { path, keyword, effect: 'looser', text: 'given twice; only the first is kept' })
  const objects = branches
    .filter((branch) => branch !== false)
    .map((branch) => joinAlternatives(isRecord(branch) ? branch : {}, location, compiling))
    .map((branch) => mergeSchemas(plain, branch, onDropped))
  if (objects.length === 0) return base
  const names = [...new Set(objects.flatMap(({ properties }) => keysOf(properties)))]
  const properties = names.map((name) => [name, joinProperty(objects, name, { location, compiling })] as const)
  const required = listOf(objects[0]?.required).filter((name) =>
    objects.every((object) => listOf(object.required).includes(name)),
  )
  const isPlain = objects.every(({ patternProperties }) => patternProperties === undefined)
  const isClosed = objects.every(({ additionalProperties }) => additionalProperties === false)
  const isOpen = objects.some(({ additionalProperties = false }) => additionalProperties !== false)
  return {
    ...keepCommon(objects, plain),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(isClosed && isPlain && { additionalProperties: false }),
    // Said outright: an `unevaluatedProperties` around this one must not close what an alternative opens.
    ...(isOpen && { additionalProperties: true }),
    ...(unevaluatedProperties !== undefined && isPlain && !isOpen && { unevaluatedProperties }),
  }
}

/** The keywords that all alternatives have alike, and the words of the base. */
function keepCommon(objects: readonly JsonSchema[], { title, description }: JsonSchema): JsonSchema {
  const [first = {}, ...others] = objects
  const common = Object.entries(first).filter(
    ([keyword, value]) =>
      !['properties', 'required', 'additionalProperties', 'title', 'description'].includes(keyword) &&
      others.every((other) => isSame(other[keyword], value)),
  )
  return {
    ...Object.fromEntries(common),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  }
}

function joinProperty(objects: readonly JsonSchema[], name: string, { location, compiling }: Joining): unknown {
  const schemas = objects.map((object) => schemaFor(object, name)).filter((schema) => schema !== false)
  const described = schemas.filter(isRecord)
  if (described.length < schemas.length && described.length > 0) {
    noteLoss(compiling, {
      path: location.path,
      keyword: 'properties',
      effect: 'tighter',
      text: `${name} takes only what the alternatives that name it say`,
    })
  }
  return described.length === 0 ? (schemas[0] ?? false) : unionOf(described)
}

/** Returns one schema for several: the same one once, and a list of values as one list. */
export function unionOf(schemas: readonly JsonSchema[]): JsonSchema {
  const different = schemas.filter((schema, index) => schemas.findIndex((other) => isSame(other, schema)) === index)
  const [only] = different
  if (different.length === 1 && only) return only
  const values = different.map(valuesOf)
  if (!values.every((list) => list !== undefined)) return { anyOf: different }
  const described = different.find(({ description }) => description !== undefined)
  return { ...(described && { description: described.description }), enum: [...new Set(values.flat())] }
}

/** The values that a schema lists, where it says nothing but that; undefined elsewhere. */
function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  const { const: constant, enum: list, type, description: _, ...others } = schema
  if (Object.keys(others).length > 0) return undefined
  const values = 'const' in schema ? [constant] : Array.isArray(list) ? list : undefined
  return values?.every((value) => typeof value === 'string') && (type === undefined || type === 'string')
    ? values
    : undefined
}
