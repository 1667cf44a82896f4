import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { nearest } from '../../core/text/nearest.ts'
import { SuiteError } from './suite.ts'

/** Reads values out of a YAML file. Every mismatch is a SuiteError that names file, line, column and key. */
export class YamlReader {
  readonly #file: string
  readonly #lines = new LineCounter()
  readonly #root: Node | null

  constructor(text: string, file: string) {
    this.#file = file
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false })
    const [error] = document.errors
    if (error) throw this.#problem(error.pos[0], error.message)
    this.#root = document.contents
    if (this.#root === null) throw this.#problem(0, 'the file is empty; expected a list "tasks"')
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
  wrong(node: unknown, text: string): SuiteError {
    const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined
    return this.#problem(range?.[0] ?? 0, text)
  }

  #problem(offset: number, text: string): SuiteError {
    const { line, col } = this.#lines.linePos(offset)
    return new SuiteError(`${this.#file}:${Math.max(line, 1)}:${Math.max(col, 1)}: ${text}`)
  }
}

/** The members of a mapping, and the mapping itself, for errors. */
export interface Members {
  readonly node: unknown
  readonly found: ReadonlyMap<string, Node | null>
}
