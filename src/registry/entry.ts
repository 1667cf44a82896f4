import { offersBackground, takesBackground, withBackground, withoutBackground } from '../core/call/background.ts'
import { deepFreeze, type JsonSchema } from '../core/text/json.ts'
import type { Alias } from '../core/tool/alias.ts'
import type { AnySchema } from '../core/tool/schema.ts'
import type { Origin, RegisteredTool } from '../core/tool/snapshot.ts'
import type { Tool } from '../core/tool/tool.ts'
import { checkPresets } from './read-aliases.ts'
import { inputSchemaOf, inputTextOf, outputSchemaOf } from './schema/author-schema.ts'

/** The schemas parsed from a tool's text at its first use. */
interface Schemas {
  readonly text: string
  readonly offered: JsonSchema
  readonly parameters: JsonSchema
}

/** Parsed schemas by the author's schema object: tools that share a schema share its parsed form and validator. */
const read = new WeakMap<AnySchema, Schemas>()

/** The parts of an entry. */
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

/** The origin of a tool and its other names. */
type Registration = Pick<RegisteredTool, 'wireName' | 'aliases' | 'origin' | 'source'> & Pick<EntryParts, 'line'>

/** Origins whose author sees a refusal. A tool of a folder or server is accepted, and its source warns. */
const WRITTEN_IN_CODE: readonly Origin[] = ['built-in', 'code']

/** Makes the entry of a tool. Throws when its schema is invalid, with a corrected form. */
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

/** A tool in a registry. Its input schema is kept as immutable text, since most tools are only listed. */
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

  /** Returns the tool without an alias that another tool has taken. */
  withoutAlias(name: string): Entry {
    const aliases = this.aliases.filter((alias) => alias.name !== name)
    return new Entry({ ...this, aliases, offersBackground: this.#offersBackground, text: this.#text })
  }

  /** True for the id and the wire name, not for an alias. */
  isOfferedAs(name: string): boolean {
    return name === this.tool.name || name === this.wireName
  }

  /** The offered schema as JSON. */
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

  /** Replaces the text by a slice of a larger text that is kept anyway, which saves memory. */
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
