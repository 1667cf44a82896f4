import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ToolError } from '../core/call/result.ts'
import type { CodeFindings, CodeHit, CodeQuery, CodeSearch } from '../core/ports/developer/code-search.ts'
import { IndexedTree } from './indexed-tree.ts'
import type { Piece } from './postings.ts'
import { createFolderWatch } from './watch-folders.ts'

/** The most lines that are shown of a piece. */
const SHOWN_LINES = 12

/** Where the index belongs and where it is kept. */
export interface CodeIndexOptions {
  readonly workspace: string
  /** Folder of the indexes; undefined keeps it in memory only. */
  readonly folder: string | undefined
}

/** Opens the index of a workspace. It is read, or made, at the first query, and brought up to date at every one. */
export function createCodeIndex({ workspace, folder }: CodeIndexOptions): CodeSearch {
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
  return {
    async search(query) {
      const own = turn.catch(() => undefined).then(() => prepare(query))
      turn = own
      return find(query, await own)
    },
    close: () => watch.close(),
  }
}

function find(query: CodeQuery, tree: IndexedTree): CodeFindings {
  const { path, limit } = query
  const accepts = (at: string): boolean => path === '.' || at === path || at.startsWith(`${path}/`)
  const hits: CodeHit[] = []
  for (const { piece, score } of tree.postings.search(query.query, limit * 2, accepts)) {
    if (hits.length >= limit) break
    const text = firstLines(query, piece)
    if (text === undefined) continue
    const { line, endLine, name } = piece
    hits.push({ path: piece.path, line, endLine, name, score: Math.round(score * 100) / 100, text })
  }
  return { hits, files: tree.size, isPartial: tree.isPartial }
}

/** Reads the first lines of a piece through the guarded access of the call; undefined if it may not be read or is gone. */
function firstLines({ files }: CodeQuery, { path, line, endLine }: Piece): string | undefined {
  try {
    const { bytes } = files.readLines(path, { from: line, to: Math.min(endLine, line + SHOWN_LINES - 1), limit: 4_000 })
    return Buffer.from(bytes).toString('utf8').trimEnd()
  } catch (thrown) {
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}
