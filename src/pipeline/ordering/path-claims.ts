import { AsyncLocalStorage } from 'node:async_hooks'
import { ToolError } from '../../core/call/result.ts'
import type { PathLock, PathLocks } from '../../core/ports/path-locks.ts'
import { insidePath, resolvePath } from '../../core/text/paths.ts'
import type { Touch } from '../../core/tool/touch.ts'
import type { Stop } from '../stopping/stop.ts'

/** The right to write to some paths. It starts when all earlier conflicting claims, in any process, are released. */
export interface PathClaim {
  readonly paths: readonly string[]
  /** May be called twice. */
  release(): void
}

/** The claims of all hosts of this process, in order. Each waits only for earlier ones, so there is no circular wait. */
const claims = new Set<HeldClaim>()

/** The claim of the call whose tool is running. */
const holders = new AsyncLocalStorage<PathClaim>()

class HeldClaim implements PathClaim {
  readonly paths: readonly string[]
  /** The claims it waits for; empty once it is its turn. */
  behind: readonly HeldClaim[]
  /** The claim of the call that made this call. */
  readonly outer: HeldClaim | undefined
  isGivenBack = false
  /** The lock against other processes, once it is held. */
  lock: PathLock | undefined
  /** How many claims of calls that it made are held. */
  #inner = 0
  readonly #released = Promise.withResolvers<void>()

  constructor(paths: readonly string[], behind: readonly HeldClaim[], outer: HeldClaim | undefined) {
    this.paths = paths
    this.behind = behind
    this.outer = outer
    if (outer) outer.#inner++
    claims.add(this)
  }

  get released(): Promise<void> {
    return this.#released.promise
  }

  release(): void {
    if (this.isGivenBack) return
    this.isGivenBack = true
    this.#settle()
  }

  /** Claims of calls made in it are part of it: it is free when all of them are. */
  #settle(): void {
    if (!this.isGivenBack || this.#inner > 0) return
    claims.delete(this)
    this.lock?.release()
    this.#released.resolve()
    if (this.outer === undefined) return
    this.outer.#inner--
    this.outer.#settle()
  }
}

/** Returns the absolute paths that a call would write to. */
export function writtenPaths(touches: readonly Touch[], workspace: string): readonly string[] {
  return touches.flatMap((touch) =>
    touch.kind === 'writes' || touch.kind === 'deletes' ? [resolvePath(workspace, touch.path)] : [],
  )
}

/** What a claim needs: the stop of its call, and the locks that other processes see. */
export interface ClaimParts {
  readonly stop: Stop
  readonly locks: PathLocks
}

/** Waits for earlier calls that write to one of these paths, or above or below it, but not for the call that made this one. Resolves early if the call is cancelled. Throws if the calls would wait for each other for ever. */
export async function claimPaths(paths: readonly string[], { stop, locks }: ClaimParts): Promise<PathClaim> {
  const outer = findOuter()
  const behind = findEarlier(paths, outer)
  const claim = new HeldClaim(paths, behind, outer)
  try {
    if (behind.length > 0) await allReleased(behind, stop)
    claim.behind = []
    claim.lock = await lockPaths(claim, { stop, locks })
    return claim
  } catch (thrown) {
    claim.release()
    throw thrown
  }
}

/** Waits for calls of other processes. A call made by a call that holds paths does not wait, because two such calls could wait for each other. */
async function lockPaths(claim: HeldClaim, { stop, locks }: ClaimParts): Promise<PathLock | undefined> {
  for (;;) {
    if (stop.isCancelled) return undefined
    const lock = await locks.tryLock(claim.paths)
    if (lock) return lock
    if (claim.outer)
      throw new ToolError(
        'CONFLICT',
        `Nothing was run: this call writes to ${claim.paths.join(', ')}, where a call of another process is writing, and the call that made it holds other paths. Repeat the call.`,
        { retryable: true },
      )
    const cancelled = new AbortController()
    const handler = { cancel: () => cancelled.abort() }
    stop.onCancel(handler)
    await locks.changed(cancelled.signal)
    stop.offCancel(handler)
  }
}

/** Runs the work of a call that has a claim. Calls that it makes may write to the same paths. */
export function holdClaim<T>(claim: PathClaim, work: () => T): T {
  return holders.run(claim, work)
}

function findOuter(): HeldClaim | undefined {
  const holder = holders.getStore()
  let outer = holder instanceof HeldClaim ? holder : undefined
  while (outer?.isGivenBack) outer = outer.outer
  return outer
}

/** Returns the claims that a claim on these paths must wait for. A claim that itself waits for the call that made this one is not waited for. */
function findEarlier(paths: readonly string[], outer: HeldClaim | undefined): readonly HeldClaim[] {
  const met = [...claims].filter((claim) => meets(claim.paths, paths))
  if (outer === undefined || met.length === 0) return met
  const own = withOuter(outer)
  const stuck = findStuck(own)
  const circle = met.find((claim) => stuck.has(claim) && !own.has(claim) && claim.behind.length === 0)
  if (circle) {
    throw new ToolError(
      'CONFLICT',
      `Nothing was run: this call writes to ${paths.join(', ')}, which are held by a running call that itself waits for the call that made this one. Both would wait for ever.`,
    )
  }
  return met.filter((claim) => !stuck.has(claim))
}

/** Returns a claim and the claims of the calls around it. */
function withOuter(inner: HeldClaim): ReadonlySet<HeldClaim> {
  const found = new Set<HeldClaim>()
  for (let claim: HeldClaim | undefined = inner; claim; claim = claim.outer) found.add(claim)
  return found
}

/** Returns these claims and all claims that become free only after them: those that wait for one of them, and those whose calls made one that waits. */
function findStuck(held: ReadonlySet<HeldClaim>): ReadonlySet<HeldClaim> {
  const stuck = new Set(held)
  for (let known = 0; known < stuck.size; ) {
    known = stuck.size
    for (const claim of claims) {
      if (claim.behind.some((earlier) => stuck.has(earlier))) stuck.add(claim)
      if (claim.outer && stuck.has(claim)) stuck.add(claim.outer)
    }
  }
  return stuck
}

function meets(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) =>
    others.some((other) => insidePath(one, other) !== undefined || insidePath(other, one) !== undefined),
  )
}

async function allReleased(earlier: readonly HeldClaim[], stop: Stop): Promise<void> {
  const cancelled = Promise.withResolvers<void>()
  const handler = {
    cancel() {
      stop.abort(new Error('the call was cancelled'))
      cancelled.resolve()
    },
  }
  stop.onCancel(handler)
  if (!stop.isCancelled) await Promise.race([Promise.all(earlier.map(({ released }) => released)), cancelled.promise])
  stop.offCancel(handler)
}
