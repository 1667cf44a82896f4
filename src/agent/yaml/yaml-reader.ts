import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { nearest } from '../../core/text/nearest.ts'

/** A place in a file; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** How a file is read. */
export interface YamlFile {
  readonly text: string
  /** What the whole file should hold, for the error of an empty one: `a list "tasks"`. */
  readonly expected: string
  /** Makes the error of a mismatch: what is wrong, and where. */
  fail(text: string, place: Place): Error
}

/** Reads values out of a YAML file; JSON is YAML too. Every mismatch is an error that names line, column and key. */
export class YamlReader {
  readonly #file: YamlFile
  readonly #lines = new LineCounter()
  readonly #root: Node | null

  constructor(file: YamlFile) {
    this.#file = file
    const document = parseDocument(file.text, { lineCounter: this.#lines, prettyErrors: false })
    const [error] = document.errors
    if (error) throw this.#problem(error.pos[0], error.message)
    this.#root = document.contents
    if (this.#root === null) throw this.#problem(0, `the file is empty; expected ${file.expected}`)
  }

  /** The members of the whole file, which must be a mapping with these keys only. */
  root(keys: readonly string[]): Members {
    return this.members(this.#root, 'the file', keys)
  }

  /** The members of a mapping; other keys than these are refused, any key is taken where none are given. */
  members(node: unknown, what: string, keys?: readonly string[]): Members {
    if (!isMap(node)) throw this.wrong(node, `${what}: expected a mapping of ${keys?.join(', ') ?? 'names'}`)
    const found = new Map<string, Node | null>()
    for (const { key, value } of (node as YAMLMap<Node, Node | null>).items) {
      const name = isScalar(key) ? String(key.value) : ''
      if (keys && !keys.includes(name)) {
        const [near] = nearest(name, keys)
        const hint = near === undefined ? `; expected ${keys.join(', ')}` : `; did you mean ${near}?`
        throw this.wrong(key, `${what}: unknown key ${JSON.stringify(name)}${hint}`)
      }
      found.set(name, value)
    }
    return { node, found }
  }

  list(node: unknown, what: string): readonly unknown[] {
    if (isSeq(node)) return node.items
    throw this.wrong(node, `${what}: expected a list`)
  }

  text(node: unknown, what: string): string {
    if (isScalar(node) && typeof node.value === 'string') return node.value
    // 1.0 and yes are numbers and booleans in YAML; as the text of a file they must be quoted.
    throw this.wrong(
      node,
      `${what}: expected a text${isScalar(node) ? `, got ${String(node.value)}; put it in quotes` : ''}`,
    )
  }

  number(node: unknown, what: string, [least, most]: readonly [number, number]): number {
    const value = isScalar(node) ? node.value : undefined
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
    throw this.wrong(node, `${what}: expected a whole number from ${least} to ${most}`)
  }

  /** An error at the place of a node; at the start of the file where it has none. */
  wrong(node: unknown, text: string): Error {
    return this.#file.fail(text, this.placeOf(node))
  }

  /** The place of a node; the start of the file where it has none. */
  placeOf(node: unknown): Place {
    const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined
    return this.#placeAt(range?.[0] ?? 0)
  }

  boolean(node: unknown, what: string): boolean {
    if (isScalar(node) && typeof node.value === 'boolean') return node.value
    throw this.wrong(node, `${what}: expected true or false`)
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }

  #problem(offset: number, text: string): Error {
    return this.#file.fail(text, this.#placeAt(offset))
  }
}

/** The members of a mapping, and the mapping itself, for errors. */
export interface Members {
  readonly node: unknown
  readonly found: ReadonlyMap<string, Node | null>
}
