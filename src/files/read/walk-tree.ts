import { constants, type Dirent } from 'node:fs'
import type { FileEntry, Listing, WalkOptions } from '../../core/ports/files.ts'
import { type Descriptor, openBelow } from '../descriptor.ts'
import { errnoOf, explainErrno } from '../file-errors.ts'
import { openFolder, openFolderToRead } from '../open-inside.ts'
import { joinPath, pathInside, splitPath, type WorkspaceRoot } from '../workspace-root.ts'
import { type IgnoreRules, isIgnored, rulesIn } from './ignore-rules.ts'
import { byName, entryFor, readEntries } from './list-folder.ts'

/** An open folder on the current path of a walk. */
interface Frame {
  readonly folder: Descriptor
  /** Relative to the workspace. */
  readonly path: string
  readonly entries: readonly Dirent[]
  readonly rules: IgnoreRules | undefined
  next: number
}

/** How long a walk runs before it yields to other work, in milliseconds. */
const TURN = 10

/** Walks a tree and lists the requested entries; yields to other work regularly. */
export async function walkTree(root: WorkspaceRoot, given: string, options: WalkOptions): Promise<Listing> {
  const { offset = 0, limit, glob, signal } = options
  const pattern = glob === undefined ? undefined : await compileGlob(glob)
  const isByName = glob?.includes('/') === false
  const start = pathInside(root, given)
  const entries: FileEntry[] = []
  let passed = 0
  let count = 0
  let turn = performance.now() + TURN
  using walk = new Walk(root, start, { ...options, sorted: glob === undefined })
  while (walk.next()) {
    if (++count % 64 === 0 && performance.now() > turn) {
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
      turn = performance.now() + TURN
    }
    if (pattern && (walk.isFolder || !pattern.test(isByName ? walk.name : shownPath(start, walk.path)))) continue
    if (passed++ < offset) continue
    if (entries.length === limit) return { entries, more: true }
    const listed = entryFor(walk.folder, walk.name, shownPath(start, walk.path))
    if (listed) entries.push(listed)
  }
  return { entries, more: false }
}

/** Returns a path relative to the start of the walk. */
function shownPath(start: string, path: string): string {
  return start === '.' ? path : path.slice(start.length + 1)
}

/** Compiles a glob; without a slash it matches names in every folder. */
async function compileGlob(glob: string): Promise<RegExp> {
  const { default: picomatch } = await import('picomatch')
  return picomatch.makeRe(glob.replace(/^\.?\/+/, ''), { dot: true })
}

interface WalkRules {
  readonly hidden?: boolean
  readonly ignore?: boolean
  readonly sorted?: boolean
}

/** Iterates over every entry of a tree, folders before their contents. Never follows a link, even one swapped in during the walk. The current entry is in its members: one object for each entry would double the time. */
class Walk implements Disposable {
  readonly #rules: WalkRules
  readonly #stack: Frame[] = []
  #frame: Frame | undefined
  #entry: Dirent | undefined
  isFolder = false

  constructor(root: WorkspaceRoot, start: string, rules: WalkRules) {
    this.#rules = rules
    this.#enter(openFolderToRead(root, start), start, rules.ignore ? rulesAbove(root, start) : undefined)
  }

  get name(): string {
    return this.#entry?.name ?? ''
  }

  /** Relative to the workspace. */
  get path(): string {
    return joinPath(this.#frame?.path ?? '.', this.name)
  }

  /** The folder of the current entry, open until the walk moves on. */
  get folder(): Descriptor {
    if (this.#frame === undefined) throw new Error('a walk has no entry before the first next()')
    return this.#frame.folder
  }

  /** Advances to the next entry; returns false at the end. */
  next(): boolean {
    const { hidden } = this.#rules
    if (this.isFolder) this.#goDown()
    for (let frame = this.#stack.at(-1); frame; frame = this.#stack.at(-1)) {
      const entry = frame.entries[frame.next++]
      if (entry === undefined) {
        this.#stack.pop()?.folder[Symbol.dispose]()
        continue
      }
      if (!hidden && entry.name.startsWith('.')) continue
      const isFolder = entry.isDirectory()
      if (frame.rules && isIgnored(frame.rules, joinPath(frame.path, entry.name), isFolder)) continue
      this.#frame = frame
      this.#entry = entry
      this.isFolder = isFolder
      return true
    }
    return false
  }

  /** Opens the current folder, so that its contents come next. */
  #goDown(): void {
    const frame = this.#frame
    const name = this.name
    if (frame === undefined || name === '.git') return
    const path = joinPath(frame.path, name)
    passOver(path, () => this.#enter(openBelow(frame.folder, name, constants.O_DIRECTORY), path, frame.rules))
  }

  #enter(folder: Descriptor, path: string, above: IgnoreRules | undefined): void {
    const { sorted, ignore } = this.#rules
    try {
      const entries = sorted ? readEntries(folder, path).sort(byName) : readEntries(folder, path)
      const rules = ignore ? rulesIn(folder, path, { entries, above }) : undefined
      this.#stack.push({ folder, path, entries, rules, next: 0 })
    } catch (error) {
      folder[Symbol.dispose]()
      throw error
    }
  }

  [Symbol.dispose](): void {
    for (const { folder } of this.#stack) folder[Symbol.dispose]()
  }
}

const PASSED_OVER = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'PERMISSION_DENIED', 'CONFLICT'])

/** Skips a folder that was deleted or replaced, or that may not be read. */
function passOver(path: string, enter: () => void): void {
  try {
    enter()
  } catch (error) {
    if (!PASSED_OVER.has(errnoOf(error) ?? '')) throw explainErrno(error, path)
  }
}

/** Returns the ignore rules of the folders above the start of a walk. */
function rulesAbove(root: WorkspaceRoot, start: string): IgnoreRules | undefined {
  if (start === '.') return undefined
  const { folder } = splitPath(start)
  using descriptor = openFolder(root, folder)
  const entries = readEntries(descriptor, folder)
  return rulesIn(descriptor, folder, { entries, above: rulesAbove(root, folder) })
}
