import type { Alias } from '../core/alias.ts'
import { offersBackground, takesBackground, withBackground, withoutBackground } from '../core/background.ts'
import { deepFreeze, type JsonSchema } from '../core/json.ts'
import type { AnySchema } from '../core/schema.ts'
import type { Origin, RegisteredTool } from '../core/snapshot.ts'
import type { Tool } from '../core/tool.ts'
import { inputSchemaOf, inputTextOf, outputSchemaOf } from './author-schema.ts'
import { checkPresets } from './read-aliases.ts'

/** What is read from a tool's text once it is called or looked at. */
interface Schemas {
  readonly text: string
  readonly offered: JsonSchema
  readonly parameters: JsonSchema
}

/** By what the author gave: tools with one schema between them share what is read from it, and so its validator. */
const read = new WeakMap<AnySchema, Schemas>()

/** What an entry is made of. */
interface EntryParts {
  readonly tool: Tool
  readonly wireName: string
  readonly aliases: readonly Alias[]
  readonly origin: Origin
  readonly source: string
  readonly line: number | undefined
  readonly takesBackground: boolean
  readonly offersBackground: boolean
  readonly output: JsonSchema | undefined
  readonly text: string
}

/** Where a tool comes from, and the names it is known by besides its own. */
type Registration = Pick<RegisteredTool, 'wireName' | 'aliases' | 'origin' | 'source'> & Pick<EntryParts, 'line'>

/** Tools whose author reads what is refused. Of folders and servers a tool is taken as it is, and its source warns. */
const WRITTEN_IN_CODE: readonly Origin[] = ['built-in', 'code']

/** Makes an entry of a tool. Throws where the tool's schema is wrong, with the fixed form. */
export function makeEntry(tool: Tool, registration: Registration): Entry {
  const parameters = inputSchemaOf(tool.input, tool.name, WRITTEN_IN_CODE.includes(registration.origin))
  checkPresets(registration.aliases, parameters, tool.name)
  const takes = takesBackground(parameters)
  const offers = takes && offersBackground(tool, registration.origin)
  return new Entry({
    ...registration,
    tool,
    takesBackground: takes,
    offersBackground: offers,
    text: inputTextOf(offers ? withBackground(parameters) : parameters, tool.name),
    output: tool.output === undefined ? undefined : deepFreeze(outputSchemaOf(tool.output, tool.name)),
  })
}

/** A tool as it stands in a registry. Its input is kept as text, which nobody can change; most tools are only listed. */
export class Entry implements RegisteredTool {
  readonly tool: Tool
  readonly wireName: string
  readonly aliases: readonly Alias[]
  readonly origin: Origin
  readonly source: string
  readonly line: number | undefined
  readonly takesBackground: boolean
  readonly output: JsonSchema | undefined
  readonly #offersBackground: boolean
  #text: string
  #schemas: Schemas | undefined

  constructor(parts: EntryParts) {
    this.tool = parts.tool
    this.wireName = parts.wireName
    this.aliases = parts.aliases
    this.origin = parts.origin
    this.source = parts.source
    this.line = parts.line
    this.takesBackground = parts.takesBackground
    this.output = parts.output
    this.#offersBackground = parts.offersBackground
    this.#text = parts.text
    Object.freeze(this)
  }

  /** The same tool without an alias that another tool has taken. */
  withoutAlias(name: string): Entry {
    const aliases = this.aliases.filter((alias) => alias.name !== name)
    return new Entry({ ...this, aliases, offersBackground: this.#offersBackground, text: this.#text })
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

  /** Takes a text that is kept anyway and holds this one from there on: as a part of it, it takes no memory of its own. */
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
