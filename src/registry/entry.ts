import { offersBackground, takesBackground, withBackground, withoutBackground } from '../core/background.ts'
import { deepFreeze, type JsonSchema } from '../core/json.ts'
import type { AnySchema } from '../core/schema.ts'
import type { Origin, RegisteredTool } from '../core/snapshot.ts'
import type { Tool } from '../core/tool.ts'
import { inputSchemaOf, inputTextOf, outputSchemaOf } from './author-schema.ts'

/** What is read from a tool's text once it is called or looked at. */
interface Schemas {
  readonly text: string
  readonly offered: JsonSchema
  readonly parameters: JsonSchema
}

/** By what the author gave: tools with one schema between them share what is read from it, and so its validator. */
const read = new WeakMap<AnySchema, Schemas>()

/** A tool as it stands in a registry. Its input is kept as text, which nobody can change; most tools are only ever told of. */
export class Entry implements RegisteredTool {
  readonly tool: Tool
  readonly wireName: string
  readonly origin: Origin
  readonly source: string
  readonly takesBackground: boolean
  readonly output: JsonSchema | undefined
  readonly #offersBackground: boolean
  #text: string
  #schemas: Schemas | undefined

  /** Throws where the tool's schema is wrong, saying how to mend it. */
  constructor(tool: Tool, wireName: string, from: Pick<RegisteredTool, 'origin' | 'source'>) {
    const parameters = inputSchemaOf(tool.input, tool.name)
    this.tool = tool
    this.wireName = wireName
    this.origin = from.origin
    this.source = from.source
    this.takesBackground = takesBackground(parameters)
    this.#offersBackground = this.takesBackground && offersBackground(tool, from.origin)
    this.#text = inputTextOf(this.#offersBackground ? withBackground(parameters) : parameters, tool.name)
    this.output = tool.output === undefined ? undefined : deepFreeze(outputSchemaOf(tool.output, tool.name))
    Object.freeze(this)
  }

  /** True for its id and its wire name, not for an alias. */
  isOfferedAs(name: string): boolean {
    return name === this.tool.name || name === this.wireName
  }

  /** `offered` as JSON. */
  get text(): string {
    return this.#text
  }

  get offered(): JsonSchema {
    this.#schemas ??= this.#readText()
    return this.#schemas.offered
  }

  get parameters(): JsonSchema {
    this.#schemas ??= this.#readText()
    return this.#schemas.parameters
  }

  /** Told that a text which is kept anyway holds this one from there on: as a part of it, it takes no memory of its own. */
  findTextIn(kept: string, from: number): void {
    this.#text = kept.slice(from, from + this.#text.length)
  }

  #readText(): Schemas {
    const known = read.get(this.tool.input)
    if (known?.text === this.#text) return known
    const offered: JsonSchema = deepFreeze(JSON.parse(this.#text))
    const parameters = this.#offersBackground ? deepFreeze(withoutBackground(offered)) : offered
    const schemas = { text: this.#text, offered, parameters }
    read.set(this.tool.input, schemas)
    return schemas
  }
}
