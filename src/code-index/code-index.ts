import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { messageOf, ToolError } from '../core/call/result.ts'
import type { CodeFindings, CodeHit, CodeQuery, CodeSearch } from '../core/ports/developer/code-search.ts'
import type { Embedder } from '../core/ports/developer/embedder.ts'
import { fuseRankings } from './fuse.ts'
import { IndexedTree } from './indexed-tree.ts'
import type { Piece, Ranked } from './postings.ts'
import { MAX_VECTORS, Vectors } from './vectors.ts'
import { createFolderWatch } from './watch-folders.ts'

/** The most lines that are shown of a piece. */
const SHOWN_LINES = 12

/** Where the index belongs and where it is kept. */
export interface CodeIndexOptions {
  readonly workspace: string
  /** Folder of the indexes; undefined keeps it in memory only. */
  readonly folder: string | undefined
  /** Opens the embedding model, where one is configured. Rejects where it cannot be used. */
  embedder?(): Promise<Embedder>
}

/** How many pieces of each ranking are fused. */
const FUSED = 50

/** Opens the index of a workspace. It is read, or made, at the first query, and brought up to date at every one. */
export function createCodeIndex({ workspace, folder, embedder }: CodeIndexOptions): CodeSearch {
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 32)
  const watch = createFolderWatch(workspace)
  let tree: IndexedTree | undefined
  let isWatched = false
  let turn: Promise<unknown> = Promise.resolve()
  const listed = (folders: ReadonlySet<string>) => {
    isWatched = watch.cover(folders)
  }
  const prepare = async (query: CodeQuery): Promise<IndexedTree> => {
    const isFirst = tree === undefined
    tree ??= new IndexedTree(workspace, folder === undefined ? undefined : join(folder, `${name}.index`))
    const hasChanged = watch.takeChange()
    if (isWatched && !hasChanged) return tree
    isWatched = false
    await tree.update(query, listed)
    // What changed between listing a folder and watching it would be missed.
    if (isFirst && isWatched) await tree.update(query, listed)
    return tree
  }
  let vectors: Vectors | undefined
  const rankByMeaning = async (query: CodeQuery, { postings }: IndexedTree): Promise<Meaning> => {
    if (embedder === undefined) return {}
    try {
      vectors ??= new Vectors(await embedder(), folder === undefined ? undefined : join(folder, `${name}.vectors`))
      const pieces = postings.pieces()
      await vectors.update(pieces, (piece) => textOf(query, piece), query)
      const accepted = pieces.filter(({ path }) => isWanted(query, path))
      const note =
        pieces.length > MAX_VECTORS ? `only ${MAX_VECTORS} of ${pieces.length} pieces are ranked by meaning` : undefined
      return { ranked: await vectors.search(query, accepted, FUSED), ...(note !== undefined && { note }) }
    } catch (thrown) {
      query.signal.throwIfAborted()
      return { note: `ranked by words alone: the embedding model cannot be used: ${messageOf(thrown)}` }
    }
  }
  return {
    async search(query) {
      const own = turn
        .catch(() => undefined)
        .then(async () => {
          const now = await prepare(query)
          return { now, meaning: await rankByMeaning(query, now) }
        })
      turn = own
      const { now, meaning } = await own
      return find(query, now, meaning)
    },
    close: () => watch.close(),
  }
}

/** The ranking by an embedding model. */
interface Meaning {
  readonly ranked?: readonly Ranked[]
  readonly note?: string
}

const isWanted = ({ path }: CodeQuery, at: string): boolean => path === '.' || at === path || at.startsWith(`${path}/`)

function find(query: CodeQuery, tree: IndexedTree, { ranked, note }: Meaning): CodeFindings {
  const { limit } = query
  const byWords = tree.postings.search(query.query, ranked ? FUSED : limit * 2, (at) => isWanted(query, at))
  const hits: CodeHit[] = []
  for (const { piece, score } of ranked ? fuseRankings([byWords, ranked]) : byWords) {
    if (hits.length >= limit) break
    const text = firstLines(query, piece)
    if (text === undefined) continue
    const { line, endLine, name } = piece
    hits.push({ path: piece.path, line, endLine, name, score: Math.round(score * 10_000) / 10_000, text })
  }
  return { hits, files: tree.size, isPartial: tree.isPartial, ...(note !== undefined && { note }) }
}

/** What the model reads of a piece: its place, its name and its lines. */
function textOf({ files }: CodeQuery, { path, line, endLine, name }: Piece): string | undefined {
  const text = linesOf(files, path, { from: line, to: endLine, limit: 8_000 })
  return text && `${path} ${name}\n${text}`
}

/** Reads the first lines of a piece through the guarded access of the call; undefined if it may not be read or is gone. */
function firstLines({ files }: CodeQuery, { path, line, endLine }: Piece): string | undefined {
  return linesOf(files, path, { from: line, to: Math.min(endLine, line + SHOWN_LINES - 1), limit: 4_000 })
}

function linesOf(files: CodeQuery['files'], path: string, lines: Parameters<CodeQuery['files']['readLines']>[1]) {
  try {
    const { bytes } = files.readLines(path, lines)
    return Buffer.from(bytes).toString('utf8').trimEnd()
  } catch (thrown) {
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}
