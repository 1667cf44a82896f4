import { AsyncLocalStorage } from 'node:async_hooks'
import { ToolError } from '../../core/call/result.ts'
import type { PathLock, PathLocks } from '../../core/ports/path-locks.ts'
import { insidePath, resolvePath } from '../../core/text/paths.ts'
import type { Touch } from '../../core/tool/touch.ts'
import type { Stop } from '../stopping/stop.ts'

/** A right to write to some paths, from when every earlier one that meets them, in whatever process, was given back. */
export interface PathClaim {
  readonly paths: readonly string[]
  /** May be called twice. */
  release(): void
}

/** Of all hosts of this process, in the order they came: each waits for earlier ones only, so none waits for itself. */
const claims = new Set<HeldClaim>()

/** The claim of the call whose tool is at work. */
const holders = new AsyncLocalStorage<PathClaim>()

class HeldClaim implements PathClaim {
  readonly paths: readonly string[]
  /** Those it waits for; none once it had its turn. */
  behind: readonly HeldClaim[]
  /** The claim of the call that it was made in. */
  readonly outer: HeldClaim | undefined
  isGivenBack = false
  /** The same right over other processes, once it has it. */
  lock: PathLock | undefined
  /** How many claims made in it are held. */
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

  /** What was made in it is part of it: it is free when all of that is. */
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

/** The paths a call would write to, in full. */
export function writtenPaths(touches: readonly Touch[], workspace: string): readonly string[] {
  return touches.flatMap((touch) =>
    touch.kind === 'writes' || touch.kind === 'deletes' ? [resolvePath(workspace, touch.path)] : [],
  )
}

/** What a claim needs: how its call is stopped, and the locks that other processes see. */
export interface ClaimParts {
  readonly stop: Stop
  readonly locks: PathLocks
}

/** Waits for the calls that came earlier and write to one of these paths, above or below it, but not for the call it is made in. Resolves early where the call is cancelled; throws where nobody would ever have their turn. */
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

/** Waits for calls of other processes. One that is made in a call which holds paths does not wait: two such could wait for each other. */
async function lockPaths(claim: HeldClaim, { stop, locks }: ClaimParts): Promise<PathLock | undefined> {
  for (;;) {
    if (stop.isCancelled) return undefined
    const lock = locks.tryLock(claim.paths)
    if (lock) return lock
    if (claim.outer)
      throw new ToolError(
        'CONFLICT',
        `Nothing was run: this call writes to ${claim.paths.join(', ')}, where a call of another process is writing, and the call it was made in holds other paths. Make it again.`,
        { retryable: true },
      )
    const cancelled = new AbortController()
    const cancel = () => cancelled.abort()
    stop.onCancel(cancel)
    await locks.changed(cancelled.signal)
    stop.offCancel(cancel)
  }
}

/** Does the work of a call that has a claim: calls that are made in it may write there. */
export function holdClaim<T>(claim: PathClaim, work: () => T): T {
  return holders.run(claim, work)
}

function findOuter(): HeldClaim | undefined {
  const holder = holders.getStore()
  let outer = holder instanceof HeldClaim ? holder : undefined
  while (outer?.isGivenBack) outer = outer.outer
  return outer
}

/** Those that a claim on these paths waits for. Who waits for the call that it is made in, and has not begun, must let it pass. */
function findEarlier(paths: readonly string[], outer: HeldClaim | undefined): readonly HeldClaim[] {
  const met = [...claims].filter((claim) => meets(claim.paths, paths))
  if (outer === undefined || met.length === 0) return met
  const own = withOuter(outer)
  const stuck = findStuck(own)
  const circle = met.find((claim) => stuck.has(claim) && !own.has(claim) && claim.behind.length === 0)
  if (circle) {
    throw new ToolError(
      'CONFLICT',
      `Nothing was run: this call writes to ${paths.join(', ')}, which a running call holds that itself waits for the call this one was made in. Both would wait for ever.`,
    )
  }
  return met.filter((claim) => !stuck.has(claim))
}

/** A claim and those it was made in. */
function withOuter(inner: HeldClaim): ReadonlySet<HeldClaim> {
  const found = new Set<HeldClaim>()
  for (let claim: HeldClaim | undefined = inner; claim; claim = claim.outer) found.add(claim)
  return found
}

/** These claims and all that are not free before them: who waits for one of them, and who made a call that does. */
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
  const cancel = () => {
    stop.abort(new Error('the call was cancelled'))
    cancelled.resolve()
  }
  stop.onCancel(cancel)
  if (!stop.isCancelled) await Promise.race([Promise.all(earlier.map(({ released }) => released)), cancelled.promise])
  stop.offCancel(cancel)
}
