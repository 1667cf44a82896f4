/** A contestant's way to hold many tools and to say them to a model. */
export interface Catalogue<Tools = unknown> {
  /** Makes tools 0 to count - 1. */
  define(count: number): Tools
  /** All of them as the JSON text of OpenAI functions. */
  definitions(tools: Tools): string | Promise<string>
}

/** Types `definitions` by what `define` made; the race itself does not care. */
export function makeCatalogue<Tools>(catalogue: Catalogue<Tools>): Catalogue {
  return catalogue as Catalogue
}

/** One tool as an OpenAI function. */
export function openAIFunction(name: string, description: string, parameters: object): object {
  return { type: 'function', function: { name, description, parameters } }
}

/** The description of tool i. */
export function describeTool(i: number): string {
  return `Echo the arguments, number ${i}`
}

/** One of each from 0 to count - 1. */
export function makeEach<Made>(count: number, make: (i: number) => Made): Made[] {
  return Array.from({ length: count }, (_, i) => make(i))
}
