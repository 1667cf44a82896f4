/** A tool as a model reads it, in one form for all programs. */
export interface Definition {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

/** Finds the tools of a request to a model: OpenAI's chat and responses (also in namespaces and in the input), Gemini. Tools that the provider itself defines have no words here and are left out. */
export function findDefinitions(request: unknown): readonly Definition[] {
  const { tools, input } = members(request)
  return [...list(tools), ...list(input).flatMap((item) => list(members(item).tools))].flatMap(flatten)
}

function flatten(tool: unknown): Definition[] {
  const { tools, functionDeclarations, function: inner } = members(tool)
  const nested = [...list(tools), ...list(functionDeclarations), ...(inner ? [inner] : [])]
  if (nested.length > 0) return nested.flatMap(flatten)
  const { name, description, parameters, parametersJsonSchema, format } = members(tool)
  if (typeof name !== 'string' || typeof description !== 'string') return []
  return [{ name, description, parameters: parameters ?? parametersJsonSchema ?? format ?? {} }]
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
