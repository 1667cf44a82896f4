import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonSchema } from '../text/json.ts'

declare const TYPE: unique symbol

/** JSON Schema as plain data, with the type that it describes for the compiler. */
export type Schema<T> = JsonSchema & { readonly [TYPE]?: T }

/** A property that may be left out. */
export interface OptionalSchema<T> {
  readonly optional: Schema<T>
}

/** The properties of an object, each with its schema. */
export type Shape = Readonly<Record<string, Schema<unknown> | OptionalSchema<unknown>>>
type RequiredKeys<S extends Shape> = { [K in keyof S]: S[K] extends OptionalSchema<unknown> ? never : K }[keyof S]
type TypeOf<P> = P extends OptionalSchema<infer T> ? T : P extends Schema<infer T> ? T : never
type Flat<T> = { [K in keyof T]: T[K] }

/** The type of an object of that shape: optional properties may be absent, never undefined. */
export type ShapeType<S extends Shape> = Flat<
  { readonly [K in RequiredKeys<S>]: TypeOf<S[K]> } & {
    readonly [K in Exclude<keyof S, RequiredKeys<S>>]?: TypeOf<S[K]>
  }
>

/** The schemas that a tool author may use: Haft's own, plain JSON Schema, or any Standard Schema (Zod, Valibot, ArkType). */
export type AnySchema = JsonSchema | StandardSchemaV1

/** The type that a schema accepts: what a caller sends to a tool, or what a tool returns. Unknown for plain JSON Schema. */
export type SchemaInput<S> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<S>
  : S extends Schema<infer T>
    ? T
    : unknown

/** The type that a schema parses its input to: what a tool gets, defaults and transforms applied. Unknown for plain JSON Schema. */
export type SchemaOutput<S> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<S>
  : S extends Schema<infer T>
    ? T
    : unknown

/** An object with exactly these properties. The root of every tool's input is an object. */
export function objectSchema<S extends Shape>(shape: S, description?: string): Schema<ShapeType<S>> {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const [name, property] of Object.entries(shape)) {
    if (isOptional(property)) properties[name] = property.optional
    else {
      properties[name] = property
      required.push(name)
    }
  }
  return { type: 'object', ...(description && { description }), properties, required, additionalProperties: false }
}

function isOptional(property: Schema<unknown> | OptionalSchema<unknown>): property is OptionalSchema<unknown> {
  return typeof property.optional === 'object'
}

/** Lets a property be left out. */
export const optional = <T>(schema: Schema<T>): OptionalSchema<T> => ({ optional: schema })

/** Limits of a text. */
export interface TextLimits {
  minLength?: number
  maxLength?: number
  pattern?: string
}

/** Limits of a number. */
export interface NumberLimits {
  minimum?: number
  maximum?: number
}

/** Text. */
export const string = (description: string, limits: TextLimits = {}): Schema<string> => ({
  type: 'string',
  description,
  ...limits,
})

/** Any number. */
export const number = (description: string, limits: NumberLimits = {}): Schema<number> => ({
  type: 'number',
  description,
  ...limits,
})

/** A whole number. */
export const integer = (description: string, limits: NumberLimits = {}): Schema<number> => ({
  type: 'integer',
  description,
  ...limits,
})

/** True or false. */
export const boolean = (description: string): Schema<boolean> => ({ type: 'boolean', description })

/** One of these texts. */
export const oneOf = <const T extends string>(values: readonly T[], description: string): Schema<T> => ({
  type: 'string',
  enum: values,
  description,
})

/** A list of items of one type. */
export const array = <T>(
  items: Schema<T>,
  description: string,
  limits: { minItems?: number; maxItems?: number } = {},
): Schema<readonly T[]> => ({ type: 'array', items, description, ...limits })

/** An object with any keys and values of one type. */
export const record = <T>(values: Schema<T>, description: string): Schema<Readonly<Record<string, T>>> => ({
  type: 'object',
  additionalProperties: values,
  description,
})

/** A value of a known type whose inner form the schema does not describe. */
export const anything = <T = unknown>(description: string): Schema<T> => ({ description })

/** A value, or null. */
export const nullable = <T>(schema: Schema<T>): Schema<T | null> => ({ anyOf: [schema, { type: 'null' }] })

/** One of several forms. */
export const either = <A, B>(a: Schema<A>, b: Schema<B>): Schema<A | B> => ({ anyOf: [a, b] })

type ShapeOf<T> = {
  readonly [K in keyof T]-?: unknown extends T[K]
    ? Schema<unknown> | OptionalSchema<unknown>
    : undefined extends T[K]
      ? OptionalSchema<Exclude<T[K], undefined>>
      : Schema<T[K]>
}

/** The schema of an existing type. The compiler checks that it has exactly the members of the type. */
export function schemaOf<T>(shape: ShapeOf<T>, description?: string): Schema<T> {
  return objectSchema(shape as Shape, description) as Schema<T>
}
