import { constants, type Dirent } from 'node:fs'
import type { FileEntry, Listing, WalkOptions } from '../core/files.ts'
import { type Descriptor, openBelow } from './descriptor.ts'
import { errnoOf } from './file-errors.ts'
import { type IgnoreRules, isIgnored, rulesIn } from './ignore-rules.ts'
import { byName, entryFor, readEntries } from './list-folder.ts'
import { openFolder } from './open-inside.ts'
import { joinPath, pathInside, type Space, splitPath } from './space.ts'

/** A folder on the way of a walk: open until the walk leaves it. */
interface Frame {
  readonly folder: Descriptor
  /** Relative to the workspace. */
  readonly path: string
  readonly entries: readonly Dirent[]
  readonly rules: IgnoreRules | undefined
  next: number
}

/** How long a walk keeps the thread to itself, in milliseconds. */
const TURN = 10

/** Walks a tree and lists what is wanted of it, giving others a turn now and then. */
export async function walkTree(space: Space, given: string, options: WalkOptions): Promise<Listing> {
  const { offset = 0, limit, glob, signal } = options
  const fits = glob === undefined ? undefined : await compileGlob(glob)
  const entries: FileEntry[] = []
  let passed = 0
  let turn = performance.now() + TURN
  const start = pathInside(space, given)
  const steps = stepsOf(space, start, { ...options, sorted: glob === undefined })
  let count = 0
  for (const [frame, entry] of steps) {
    if (++count % 64 === 0 && performance.now() > turn) {
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
      turn = performance.now() + TURN
    }
    if (fits && (entry.isDirectory() || !fits(() => shownPath(start, frame, entry), entry.name))) continue
    if (passed++ < offset) continue
    if (entries.length === limit) return { entries, more: true }
    const listed = entryFor(frame.folder, entry.name, shownPath(start, frame, entry))
    if (listed) entries.push(listed)
  }
  return { entries, more: false }
}

/** An entry's path below where the walk started. */
function shownPath(start: string, frame: Frame, entry: Dirent): string {
  const path = joinPath(frame.path, entry.name)
  return start === '.' ? path : path.slice(start.length + 1)
}

/** A glob without a slash fits names in every folder, and needs no path. */
async function compileGlob(glob: string): Promise<(path: () => string, name: string) => boolean> {
  const { default: picomatch } = await import('picomatch')
  const pattern = picomatch.makeRe(glob.replace(/^\.?\/+/, ''), { dot: true })
  return glob.includes('/') ? (path) => pattern.test(path()) : (_path, name) => pattern.test(name)
}

/** Every entry of a tree with the folder it lies in, folders before what lies in them. Never follows a link, however often one is swapped in. */
function* stepsOf(
  space: Space,
  start: string,
  { hidden, ignore, sorted }: { hidden?: boolean; ignore?: boolean; sorted?: boolean },
): Generator<readonly [Frame, Dirent]> {
  const stack: Frame[] = []
  const enter = (folder: Descriptor, path: string, above: IgnoreRules | undefined) => {
    stack.push({ folder, path, entries: [], rules: above, next: 0 })
    const entries = sorted ? readEntries(folder, path).sort(byName) : readEntries(folder, path)
    const rules = ignore ? rulesIn(folder, path, { entries, above }) : undefined
    stack[stack.length - 1] = { folder, path, entries, rules, next: 0 }
  }
  try {
    enter(openFolder(space, start), start, ignore ? rulesAbove(space, start) : undefined)
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const entry = frame.entries[frame.next++]
      if (entry === undefined) {
        stack.pop()?.folder[Symbol.dispose]()
        continue
      }
      if (!hidden && entry.name.startsWith('.')) continue
      const isFolder = entry.isDirectory()
      if (frame.rules && isIgnored(frame.rules, joinPath(frame.path, entry.name), isFolder)) continue
      yield [frame, entry]
      if (!isFolder || entry.name === '.git') continue
      const path = joinPath(frame.path, entry.name)
      passOver(() => enter(openBelow(frame.folder, entry.name, constants.O_DIRECTORY), path, frame.rules))
    }
  } finally {
    for (const { folder } of stack) folder[Symbol.dispose]()
  }
}

const PASSED_OVER = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'PERMISSION_DENIED'])

/** A folder that went, was swapped for something else or may not be read is passed over. */
function passOver(enter: () => void): void {
  try {
    enter()
  } catch (error) {
    if (!PASSED_OVER.has(errnoOf(error) ?? '')) throw error
  }
}

/** The rules of the folders between the workspace and where a walk starts. */
function rulesAbove(space: Space, start: string): IgnoreRules | undefined {
  if (start === '.') return undefined
  const { folder } = splitPath(start)
  using descriptor = openFolder(space, folder)
  const entries = readEntries(descriptor, folder)
  return rulesIn(descriptor, folder, { entries, above: rulesAbove(space, folder) })
}
