const MAIN = ['command', 'path', 'code', 'url', 'pattern', 'query', 'from', 'question', 'task', 'id', 'name']

/** The parameter of a tool that says most: its first well-known one, else the first required one. */
export function mainOf(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return undefined
  const names = Object.keys((schema.properties ?? {}) as Readonly<Record<string, unknown>>)
  const required = 'required' in schema && Array.isArray(schema.required) ? schema.required.map(String) : []
  return MAIN.find((one) => names.includes(one)) ?? required[0] ?? names[0]
}

/** Arguments from what a person typed: JSON where it is an object, else the value of the main parameter. */
export function argumentsFor(text: string, main: string | undefined): unknown {
  if (text.trimStart().startsWith('{') || main === undefined) return text
  return { [main]: text }
}
