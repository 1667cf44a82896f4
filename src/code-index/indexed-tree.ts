import { setImmediate as yieldTurn } from 'node:timers/promises'
import { ToolError } from '../core/call/result.ts'
import type { CodeQuery } from '../core/ports/developer/code-search.ts'
import type { FileEntry } from '../core/ports/files.ts'
import { type Chunk, chunkLines } from './chunks/chunk.ts'
import { grammarOf } from './chunks/languages.ts'
import type { SyntaxChunker } from './chunks/syntax-chunks.ts'
import { type IndexedFile, readIndex, writeIndex } from './index-file.ts'
import { Postings } from './postings.ts'

/** Limits of the index: files in it, and bytes of one of them. */
const MAX_FILES = 100_000
const MAX_BYTES = 400_000

/** How long files are read before other work gets its turn, in milliseconds. */
const TURN = 20

/** The files of a workspace with their pieces, as they were when they were read. */
export class IndexedTree {
  readonly #workspace: string
  readonly #path: string | undefined
  #files: Map<string, IndexedFile>
  #postings: Postings
  #chunker: Promise<SyntaxChunker> | undefined
  #isPartial = false

  /** Reads the index that an earlier process left at `path`. */
  constructor(workspace: string, path: string | undefined) {
    this.#workspace = workspace
    this.#path = path
    const kept = path === undefined ? undefined : readIndex(path, workspace)
    this.#files = new Map(kept?.files ?? [])
    this.#postings = new Postings(kept?.postings)
  }

  get postings(): Postings {
    return this.#postings
  }

  get size(): number {
    return this.#files.size
  }

  /** True if files are missing because there are too many. */
  get isPartial(): boolean {
    return this.#isPartial
  }

  /** Lists the workspace and reads what is new or changed. Calls `listed` with its folders before any file is read. */
  async update(query: CodeQuery, listed: (folders: ReadonlySet<string>) => void): Promise<void> {
    const { entries, more } = await query.files.walk('.', { ignore: true, limit: MAX_FILES * 2, signal: query.signal })
    listed(new Set(['.', ...entries.filter(({ type }) => type === 'directory').map(({ name }) => name)]))
    const found = entries.filter(isWanted)
    const wanted = new Map(found.slice(0, MAX_FILES).map((entry) => [entry.name, entry]))
    this.#isPartial = more || found.length > MAX_FILES
    const removed = this.#removeOthers(wanted)
    const changed = [...wanted.values()].filter((entry) => !this.#isCurrent(entry))
    try {
      await this.#readAll(changed, query)
    } finally {
      if (removed + changed.length > 0) this.#save()
    }
  }

  #isCurrent({ name, modified, size }: FileEntry): boolean {
    const known = this.#files.get(name)
    return known?.modified === modified && known.size === size
  }

  #removeOthers(wanted: ReadonlyMap<string, FileEntry>): number {
    const gone = [...this.#files].filter(([path]) => !wanted.has(path))
    for (const [path, { pieces }] of gone) {
      this.#postings.remove(pieces)
      this.#files.delete(path)
    }
    return gone.length
  }

  async #readAll(entries: readonly FileEntry[], query: CodeQuery): Promise<void> {
    let rested = performance.now()
    for (const [index, entry] of entries.entries()) {
      if (this.#postings.isFull) {
        this.#isPartial = true
        return
      }
      await this.#read(entry, query)
      if (index % 500 === 499) query.progress(`Read ${index + 1} of ${entries.length} files\n`)
      if (performance.now() - rested < TURN) continue
      await yieldTurn()
      query.signal.throwIfAborted()
      rested = performance.now()
    }
  }

  async #read({ name, modified, size }: FileEntry, query: CodeQuery): Promise<void> {
    const text = readText(query, name)
    const chunks = text === undefined ? [] : await this.#chunk(name, text)
    this.#postings.remove(this.#files.get(name)?.pieces ?? [])
    this.#files.set(name, { modified, size, pieces: this.#postings.add(name, chunks) })
  }

  async #chunk(path: string, text: string): Promise<readonly Chunk[]> {
    const grammar = grammarOf(path) ?? ''
    const lines = text.split('\n')
    // Code that was made smaller by a program has no lines to speak of.
    if (text.length / lines.length > 500) return []
    if (grammar === '') return chunkLines(lines)
    this.#chunker ??= import('./chunks/syntax-chunks.ts').then(({ createSyntaxChunker }) => createSyntaxChunker())
    return (await (await this.#chunker).chunk(text, grammar)) ?? chunkLines(lines)
  }

  /** Writes the index, without the pieces of files that are gone. */
  #save(): void {
    if (this.#path === undefined) return
    const { data, moved } = this.#postings.compact()
    const number = (file: IndexedFile) => ({ ...file, pieces: file.pieces.flatMap((id) => moved.get(id) ?? []) })
    this.#files = new Map([...this.#files].map(([path, file]) => [path, number(file)]))
    this.#postings = new Postings(data)
    writeIndex(this.#path, this.#workspace, { files: this.#files, postings: data })
  }
}

function isWanted({ name, type, size }: FileEntry): boolean {
  return type === 'file' && size <= MAX_BYTES && size > 0 && grammarOf(name) !== undefined
}

/** The text of a file; undefined if it is not text, or may not be read. */
function readText({ files }: CodeQuery, path: string): string | undefined {
  try {
    return files.readText(path, MAX_BYTES).text
  } catch (thrown) {
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}
