import type { Subset, Target, TargetName } from './target.ts'

const WIRE_NAME = /^[A-Za-z0-9_-]{1,64}$/
const GEMINI_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const UNIONS = ['anyOf', 'oneOf', 'allOf']
/** What one provider or another refuses at the root. */
const EVERYWHERE = [...UNIONS, '$ref', 'enum', 'const', 'not']

/** OpenAI's strict mode, as its guide on structured outputs lists it; what the guide does not name counts as refused. */
const STRICT: Subset = {
  keywords: new Set([
    ...['title', 'pattern', 'format', 'additionalProperties', 'minItems', 'maxItems'],
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ]),
  formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
  null: 'type',
  enum: 'any',
  additionalProperties: 'closed',
  requiresAll: true,
  needsType: true,
  spelling: 'json-schema',
  limits: { depth: 10, properties: 5000, enumValues: 1000, texts: 120_000, longEnum: { values: 250, texts: 15_000 } },
}

/** The object `Schema` of the Gemini API (v1beta), field by field; other fields are an error there. */
const GEMINI: Subset = {
  keywords: new Set([
    ...['title', 'default', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
    ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ]),
  formats: new Set(['date-time', 'float', 'double', 'int32', 'int64']),
  null: 'nullable',
  enum: 'texts',
  additionalProperties: 'none',
  needsType: true,
  anyOfAlone: true,
  spelling: 'google',
}

/** The member `parametersJsonSchema` of the Gemini API: the keywords that its reference lists for JSON Schema. The rest is ignored there without a word. */
const GEMINI_JSON: Subset = {
  keywords: new Set(['title', 'format', 'minimum', 'maximum', 'minItems', 'maxItems', 'prefixItems']),
  null: 'type',
  enum: 'texts-and-numbers',
  additionalProperties: 'any',
  spelling: 'json-schema',
}

/** What Ollama's server (`ToolProperty` in its `api/types.go`) hands on to a model's template; it drops everything else without a word. */
const OLLAMA: Subset = {
  keywords: new Set(),
  null: 'type',
  enum: 'any',
  additionalProperties: 'none',
  spelling: 'json-schema',
}

/** What llama.cpp's server makes a grammar of without fail (`json-schema-to-grammar.cpp`): it refuses counts from 2,000 on, counts that multiply to that, and patterns without both anchors. Prompt templates look at the type of each parameter, and some fail where there is none. */
const LLAMA_CPP: Subset = {
  keywords: new Set(['title', 'default']),
  null: 'type',
  enum: 'any',
  additionalProperties: 'none',
  showsType: true,
  spelling: 'json-schema',
}

/** What each target can express. */
export const TARGETS: Readonly<Record<TargetName, Target>> = {
  openai: { name: 'openai', refusedAtRoot: EVERYWHERE, toolName: WIRE_NAME },
  'openai-strict': { name: 'openai-strict', refusedAtRoot: UNIONS, toolName: WIRE_NAME, subset: STRICT },
  anthropic: {
    name: 'anthropic',
    refusedAtRoot: [...UNIONS, '$ref'],
    toolName: WIRE_NAME,
    parameterName: /^[A-Za-z0-9_.-]{1,64}$/,
  },
  gemini: {
    name: 'gemini',
    refusedAtRoot: UNIONS,
    toolName: GEMINI_NAME,
    parameterName: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
    subset: GEMINI,
  },
  // What the AI SDK writes for Google's models.
  'gemini-json-schema': {
    name: 'gemini-json-schema',
    refusedAtRoot: EVERYWHERE,
    toolName: GEMINI_NAME,
    subset: GEMINI_JSON,
  },
  ollama: { name: 'ollama', refusedAtRoot: UNIONS, toolName: WIRE_NAME, subset: OLLAMA },
  'llama.cpp': { name: 'llama.cpp', refusedAtRoot: EVERYWHERE, toolName: WIRE_NAME, subset: LLAMA_CPP },
  mcp: { name: 'mcp', refusedAtRoot: [], toolName: WIRE_NAME },
  // Both hand definitions on to whatever provider is used, so they keep to what every provider takes.
  'ai-sdk': { name: 'ai-sdk', refusedAtRoot: EVERYWHERE, toolName: WIRE_NAME },
  copilot: { name: 'copilot', refusedAtRoot: EVERYWHERE, toolName: WIRE_NAME },
}
