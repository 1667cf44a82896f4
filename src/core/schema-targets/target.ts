import type { JsonSchema } from '../text/json.ts'

/** Who reads a definition: a model provider's API, a protocol or a library. */
export type TargetName =
  | 'openai'
  | 'openai-strict'
  | 'anthropic'
  | 'gemini'
  | 'gemini-json-schema'
  | 'ollama'
  | 'llama.cpp'
  | 'mcp'
  | 'ai-sdk'
  | 'copilot'

/** What a target can express. */
export interface Target {
  readonly name: TargetName
  /** Keywords that the target refuses at the root of a tool's parameters. */
  readonly refusedAtRoot: readonly string[]
  /** What every name of a parameter must match; any name where it is absent. */
  readonly parameterName?: RegExp
  /** What every name of a tool must match. */
  readonly toolName: RegExp
  /** The part of JSON Schema that the target takes; absent where it takes all of it below the root. */
  readonly subset?: Subset
}

/** A part of JSON Schema. References are always written out and `allOf` is always merged. */
export interface Subset {
  /** Keywords that are taken as they are, beside `type`, `enum`, `anyOf`, `properties`, `required`, `items` and `description`. */
  readonly keywords: ReadonlySet<string>
  /** The formats that are taken, where `format` is a keyword of the target; all where it is absent. */
  readonly formats?: ReadonlySet<string>
  /** How null is allowed: in a list of types, or by `nullable: true`. */
  readonly null: 'type' | 'nullable'
  /** Which values an enum may hold. */
  readonly enum: 'any' | 'texts' | 'texts-and-numbers'
  /** `closed`: every object must refuse unknown keys; `none`: the target has no word for them; `any`: it takes the keyword as it is. */
  readonly additionalProperties: 'closed' | 'none' | 'any'
  /** True where every property must be required; optional ones then allow null. */
  readonly requiresAll?: boolean
  /** True where every schema needs one type; several are written as alternatives. */
  readonly needsType?: boolean
  /** True where `anyOf` must stand alone, even without a description. */
  readonly anyOfAlone?: boolean
  /** True where every schema is given one type, beside alternatives too, for readers that look at nothing else. */
  readonly showsType?: boolean
  /** How types and counts are written: as in JSON Schema, or as in Google's APIs. */
  readonly spelling: 'json-schema' | 'google'
  /** Limits of one tool's parameters. */
  readonly limits?: SubsetLimits
}

/** How large the parameters of one tool may be. */
export interface SubsetLimits {
  readonly depth: number
  readonly properties: number
  readonly enumValues: number
  /** The characters of all names of properties and texts in enums. */
  readonly texts: number
  /** How many characters the texts of one enum may have that has more values than this. */
  readonly longEnum: { readonly values: number; readonly texts: number }
}

/** One step from a value to a part of it: the name of a property, or null for the items of an array. */
export type Step = string | null

/** One thing of a tool's schema that a target cannot express. */
export interface Loss {
  /** Where, as `edits[].old`; empty for the root. */
  readonly path: string
  readonly keyword: string
  /** `looser`: the exported schema accepts more, which the pipeline still refuses. `tighter`: it refuses calls that the tool would take. `note`: only words for the reader are lost. */
  readonly effect: 'looser' | 'tighter' | 'note'
  /** What became of it, in words for a person. */
  readonly text: string
}

/** A schema as a target takes it. */
export interface CompiledSchema {
  readonly schema: JsonSchema
  readonly losses: readonly Loss[]
  /** Why the target cannot take this schema at all; empty where it can. */
  readonly refused: readonly string[]
  /** The properties that allow null in place of being left out. */
  readonly addedNulls: readonly (readonly Step[])[]
}
