import type { Chunk } from './chunks/chunk.ts'
import { splitWords } from './words.ts'

/** How much a word counts by where it stands. */
const WEIGHTS = { name: 5, head: 2, path: 2, comments: 2, body: 1 } as const

/** The most a word counts in one piece; six bits of a posting hold it. */
const MAX_WEIGHT = 63
const SHIFT = 64

/** The parameters of BM25: how soon repetition stops to count, and how much length does. */
const K1 = 1.2
const B = 0.6

/** The most postings of an index: about 100 MB of memory. */
export const MAX_POSTINGS = 12_000_000

/** A piece in the index. */
export interface Piece {
  readonly path: string
  readonly line: number
  readonly endLine: number
  readonly name: string
  /** Number of weighted words. */
  readonly length: number
}

/** A piece that was found, and how well it fits. */
export interface Ranked {
  readonly piece: Piece
  readonly score: number
}

/** What an index consists of, for its file. */
export interface PostingsData {
  readonly pieces: readonly (Piece | null)[]
  readonly words: readonly string[]
  readonly lists: readonly Int32Array[]
}

/** An inverted index over pieces of code, ranked by BM25. A posting is the number of a piece times 64, plus the weight of the word in it. */
export class Postings {
  readonly #pieces: (Piece | null)[]
  readonly #lists: Map<string, number[]>
  /** The length of each piece, beside the pieces so that ranking reads one array. */
  readonly #lengths: number[]
  #size = 0
  #live = 0
  #total = 0

  constructor(data: PostingsData = { pieces: [], words: [], lists: [] }) {
    this.#pieces = [...data.pieces]
    this.#lengths = this.#pieces.map((piece) => piece?.length ?? 0)
    this.#lists = new Map(data.words.map((word, index) => [word, Array.from(data.lists[index] ?? [])]))
    for (const list of this.#lists.values()) this.#size += list.length
    for (const piece of this.#pieces) if (piece) this.#note(piece.length, 1)
  }

  get isFull(): boolean {
    return this.#size >= MAX_POSTINGS
  }

  /** Returns all pieces that are not removed. */
  pieces(): readonly Piece[] {
    return this.#pieces.filter((piece) => piece !== null)
  }

  /** Adds the pieces of a file and returns their numbers. */
  add(path: string, chunks: readonly Chunk[]): number[] {
    const file = splitWords(path)
    return chunks.map((chunk) => this.#addChunk(path, file, chunk))
  }

  /** Removes pieces. Their postings stay until the index is written. */
  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const piece = this.#pieces[id]
      if (piece) this.#note(piece.length, -1)
      this.#pieces[id] = null
    }
  }

  /** Ranks the pieces that hold a word of the query; `accepts` decides by path. */
  search(query: string, limit: number, accepts: (path: string) => boolean): readonly Ranked[] {
    // One array for all pieces, since a map took ten times as long on 50,000 files (gate 10b).
    const scores = new Float64Array(this.#pieces.length)
    const average = this.#total / Math.max(this.#live, 1)
    for (const [word, times] of countWords(splitWords(query))) {
      const list = this.#lists.get(word)
      if (list === undefined) continue
      const idf = Math.log(1 + (this.#live - list.length + 0.5) / (list.length + 0.5))
      if (!(idf > 0)) continue
      const factor = idf * times * (K1 + 1)
      for (const posting of list) {
        const id = Math.floor(posting / SHIFT)
        const weight = posting % SHIFT
        const length = this.#lengths[id] ?? 0
        scores[id] = (scores[id] ?? 0) + (factor * weight) / (weight + K1 * (1 - B + (B * length) / average))
      }
    }
    return this.#best(scores, limit, accepts)
  }

  #best(scores: Float64Array, limit: number, accepts: (path: string) => boolean): readonly Ranked[] {
    const best: Ranked[] = []
    let least = 0
    for (const [id, score] of scores.entries()) {
      if (score <= least) continue
      const piece = this.#pieces[id]
      if (!piece || !accepts(piece.path)) continue
      best.push({ piece, score })
      if (best.length < limit * 2) continue
      best.sort((a, b) => b.score - a.score)
      best.length = limit
      least = best[limit - 1]?.score ?? 0
    }
    return best.sort((a, b) => b.score - a.score).slice(0, limit)
  }

  #addChunk(path: string, file: readonly string[], { line, endLine, name, head, comments, body }: Chunk): number {
    const id = this.#pieces.length
    const weights = new Map<string, number>()
    const count = (words: readonly string[], weight: number) => {
      for (const word of words) weights.set(word, Math.min((weights.get(word) ?? 0) + weight, MAX_WEIGHT))
    }
    count(splitWords(name), WEIGHTS.name)
    count(splitWords(head), WEIGHTS.head)
    count(file, WEIGHTS.path)
    count(splitWords(comments), WEIGHTS.comments)
    count(splitWords(body), WEIGHTS.body)
    let length = 0
    for (const [word, weight] of weights) {
      length += weight
      const list = this.#lists.get(word)
      if (list) list.push(id * SHIFT + weight)
      else this.#lists.set(word, [id * SHIFT + weight])
    }
    this.#size += weights.size
    this.#pieces.push({ path, line, endLine, name, length })
    this.#lengths.push(length)
    this.#note(length, 1)
    return id
  }

  #note(length: number, sign: 1 | -1): void {
    this.#live += sign
    this.#total += sign * length
  }

  /** Returns the index without removed pieces, and the new number of each piece. */
  compact(): { readonly data: PostingsData; readonly moved: ReadonlyMap<number, number> } {
    const moved = new Map<number, number>()
    const pieces: Piece[] = []
    for (const [id, piece] of this.#pieces.entries()) {
      if (!piece) continue
      moved.set(id, pieces.length)
      pieces.push(piece)
    }
    const words: string[] = []
    const lists: Int32Array[] = []
    for (const [word, list] of this.#lists) {
      const kept = list.flatMap((posting) => {
        const id = moved.get(Math.floor(posting / SHIFT))
        return id === undefined ? [] : [id * SHIFT + (posting % SHIFT)]
      })
      if (kept.length === 0) continue
      words.push(word)
      lists.push(Int32Array.from(kept))
    }
    return { data: { pieces, words, lists }, moved }
  }
}

function countWords(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
