import type { LoadedTool } from '../core/ports/tool-source.ts'
import type { Tool } from '../core/tool/tool.ts'
import type { FileLoad } from './keep-last-good.ts'

/** How many versions besides the present one keep their process, for sessions that began with them. */
const OLD_VERSIONS = 2

/** The code of one load and the process that runs it. */
export interface Code {
  /** True once calls have to go to later code. */
  readonly isRetired: boolean
  /** Sends no more calls here; the process ends when those in it have. */
  retire(): void
}

/** The present code of a source and the older code that is still kept, with the tools that each gave. */
export class Versions<Kept extends Code> {
  readonly #makers = new WeakMap<Tool, Kept>()
  readonly #digests = new WeakMap<Tool, string>()
  /** In the order in which they were in use last. */
  readonly #old = new Set<Kept>()
  #present: Kept | undefined
  #loads: readonly FileLoad[] = []

  /** What the files gave when they were loaded last. */
  get loads(): readonly FileLoad[] {
    return this.#loads
  }

  /** Every code whose process may live. */
  get living(): readonly Kept[] {
    return [...new Set([...(this.#present ? [this.#present] : []), ...this.#old, ...this.#listUsed()])]
  }

  /** Notes which code runs a tool, and the digest of the files it is made of. */
  add({ tool }: LoadedTool, code: Kept, digest: string): void {
    this.#makers.set(tool, code)
    this.#digests.set(tool, digest)
  }

  /** Makes a load the present one. The two stay that were in use last, and those whose tools a broken file still uses. */
  replace(code: Kept | undefined, loads: readonly FileLoad[]): void {
    const before = new Set([...this.#listUsed(), ...(this.#present ? [this.#present] : [])])
    for (const last of before) {
      this.#old.delete(last)
      if (last !== code) this.#old.add(last)
    }
    this.#present = code
    this.#loads = loads
    const used = this.#listUsed()
    const unused = [...this.#old].filter((old) => !used.has(old))
    for (const old of unused.slice(0, -OLD_VERSIONS)) {
      this.#old.delete(old)
      old.retire()
    }
  }

  /** The code that runs the tools of the present load. */
  #listUsed(): ReadonlySet<Kept> {
    const makers = this.#loads.flatMap(({ tools }) => tools.map(({ tool }) => this.#makers.get(tool)))
    return new Set(makers.filter((maker) => maker !== undefined))
  }

  /** False where later code runs the calls of a tool; true for a tool of another source. */
  isCurrent(tool: Tool): boolean {
    return !this.#makers.get(tool)?.isRetired
  }

  /** True for two tools of one name that were loaded from files with the same content. */
  isSame(before: Tool, after: Tool): boolean {
    const digest = this.#digests.get(before)
    return digest !== undefined && before.name === after.name && digest === this.#digests.get(after)
  }

  /** The tool that has a name now, that of the same file before others, and the code that runs it; undefined where there is none. */
  findPresent(name: string, file: string): { readonly code: Kept; readonly source: string } | undefined {
    const named = this.#loads.flatMap(({ tools }) => tools).filter(({ tool }) => tool.name === name)
    const found = named.find(({ source }) => source === file) ?? named[0]
    const code = found && this.#makers.get(found.tool)
    return found && code && !code.isRetired ? { code, source: found.source } : undefined
  }
}
