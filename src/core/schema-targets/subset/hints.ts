const MAX_LENGTH = 200
const MAX_PATTERN = 60

const HINTS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => (Number(value) > 1 ? `at least ${value} characters` : undefined),
  maxLength: (value) => (Number(value) <= 1000 ? `at most ${value} characters` : undefined),
  // That a text holds no NUL says nothing to a model.
  pattern: (value) =>
    value !== '^[^\\0]*$' && String(value).length <= MAX_PATTERN ? `matches ${JSON.stringify(value)}` : undefined,
  format: (value) => `format ${value}`,
  minItems: (value) => (Number(value) > 0 ? `at least ${value} items` : undefined),
  maxItems: (value) => `at most ${value} items`,
  uniqueItems: (value) => (value === true ? 'no item twice' : undefined),
  default: (value) => `default ${JSON.stringify(value)}`,
  enum: (value) => `one of ${Array.isArray(value) ? value.map((one) => JSON.stringify(one)).join(', ') : value}`,
  additionalProperties: (value) =>
    value === true || value === false ? undefined : `any key; each value is ${JSON.stringify(value)}`,
}

/** Returns a keyword in words that a model can follow; undefined where words would not help or would be long. */
export function hintFor(keyword: string, value: unknown): string | undefined {
  const hint = HINTS[keyword]?.(value)
  return hint !== undefined && hint.length <= MAX_LENGTH ? hint : undefined
}

/** Adds hints to a description. */
export function describeWith(description: unknown, hints: readonly string[]): string | undefined {
  const text = typeof description === 'string' ? description : ''
  if (hints.length === 0) return text === '' ? undefined : text
  const words = hints.join('; ')
  return text === '' ? words : `${text} (${words})`
}
