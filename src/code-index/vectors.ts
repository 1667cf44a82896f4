import { createHash } from 'node:crypto'
import type { CodeQuery } from '../core/ports/developer/code-search.ts'
import type { Embedder } from '../core/ports/developer/embedder.ts'
import type { Piece, Ranked } from './postings.ts'
import { readVectors, writeVectors } from './vectors-file.ts'

/** The most pieces that get a vector: about 15 MB of memory. */
export const MAX_VECTORS = 20_000

/** How many texts are sent at once, and how much of each, in characters. */
const BATCH = 64
const MAX_TEXT = 4_000

/** Reads a piece for the model; undefined if it may not be read or is gone. */
export type ReadPiece = (piece: Piece) => string | undefined

/** The vectors of the pieces of a workspace. They are kept by the text that they stand for, so that only new text is sent to the model. */
export class Vectors {
  readonly #embedder: Embedder
  readonly #path: string | undefined
  #kept: Map<string, Int8Array>
  /** Pieces never change: a changed file gets others. */
  readonly #keys = new WeakMap<Piece, string>()

  constructor(embedder: Embedder, path: string | undefined) {
    this.#embedder = embedder
    this.#path = path
    this.#kept = path === undefined ? new Map() : readVectors(path, embedder.id)
  }

  /** Gives every piece its vector, as far as there is room. Rejects where the model does not answer; what it answered is kept. */
  async update(pieces: readonly Piece[], read: ReadPiece, query: CodeQuery): Promise<void> {
    const missing = new Map<string, string>()
    const used = new Set<string>()
    for (const piece of pieces.slice(0, MAX_VECTORS)) {
      const known = this.#keys.get(piece)
      if (known !== undefined && this.#kept.has(known)) {
        used.add(known)
        continue
      }
      const text = read(piece)?.slice(0, MAX_TEXT)
      if (text === undefined) continue
      const key = createHash('sha256').update(text).digest('hex').slice(0, 32)
      this.#keys.set(piece, key)
      used.add(key)
      if (!this.#kept.has(key)) missing.set(key, text)
    }
    if (missing.size === 0) return
    try {
      await this.#embedAll([...missing], query)
    } finally {
      this.#kept = new Map([...this.#kept].filter(([key]) => used.has(key)))
      if (this.#path !== undefined) writeVectors(this.#path, this.#embedder.id, this.#kept)
    }
  }

  async #embedAll(
    texts: readonly (readonly [key: string, text: string])[],
    { signal, progress }: CodeQuery,
  ): Promise<void> {
    for (let at = 0; at < texts.length; at += BATCH) {
      const batch = texts.slice(at, at + BATCH)
      const vectors = await this.#embedder.embed(
        batch.map(([, text]) => text),
        signal,
      )
      for (const [index, [key]] of batch.entries()) this.#kept.set(key, shorten(vectors[index] ?? []))
      if (texts.length > BATCH) progress(`Embedded ${Math.min(at + BATCH, texts.length)} of ${texts.length} pieces\n`)
    }
  }

  /** Ranks pieces by how near their vectors are to that of the query. */
  async search(query: CodeQuery, pieces: readonly Piece[], limit: number): Promise<readonly Ranked[]> {
    const [vector = []] = await this.#embedder.embed([query.query], query.signal)
    const wanted = shorten(vector)
    const ranked = pieces.flatMap((piece) => {
      const own = this.#kept.get(this.#keys.get(piece) ?? '')
      return own === undefined || own.length !== wanted.length ? [] : [{ piece, score: multiply(own, wanted) }]
    })
    return ranked.sort((a, b) => b.score - a.score).slice(0, limit)
  }
}

/** Brings a vector to the length 127 and rounds its parts to bytes: the order of the results hardly changes, and it needs an eighth of the memory. */
function shorten(vector: readonly number[]): Int8Array {
  const length = Math.hypot(...vector) || 1
  return Int8Array.from(vector, (part) => Math.round((part / length) * 127))
}

function multiply(a: Int8Array, b: Int8Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}
