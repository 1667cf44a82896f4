import { insidePath, resolvePath } from '../core/paths.ts'
import type { Touch } from '../core/touch.ts'
import type { Stop } from './stop.ts'

/** A right to write to some paths, from when every earlier one that meets them was given back. */
export interface Claim {
  readonly paths: readonly string[]
  /** May be called twice. */
  release(): void
}

interface HeldClaim extends Claim {
  readonly released: Promise<void>
}

/** Of all hosts of this process, in the order they came: each waits for earlier ones only, so none waits for itself. */
const claims = new Set<HeldClaim>()

/** The paths a call would write to, in full. */
export function writtenPaths(touches: readonly Touch[], workspace: string): readonly string[] {
  return touches.flatMap((touch) => (touch.kind === 'writes' ? [resolvePath(workspace, touch.path)] : []))
}

/** Waits for the calls that came earlier and write to one of these paths, above or below it. Resolves early where the call is cancelled. */
export async function claimPaths(paths: readonly string[], stop: Stop): Promise<Claim> {
  const earlier = [...claims].filter((claim) => meets(claim.paths, paths))
  const released = Promise.withResolvers<void>()
  const claim: HeldClaim = {
    paths,
    released: released.promise,
    release() {
      claims.delete(claim)
      released.resolve()
    },
  }
  claims.add(claim)
  if (earlier.length > 0) await allReleased(earlier, stop)
  return claim
}

function meets(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) =>
    others.some((other) => insidePath(one, other) !== undefined || insidePath(other, one) !== undefined),
  )
}

async function allReleased(earlier: readonly HeldClaim[], stop: Stop): Promise<void> {
  const cancelled = Promise.withResolvers<void>()
  stop.hear(() => {
    stop.abort(new Error('the call was cancelled'))
    cancelled.resolve()
  })
  if (!stop.wished) await Promise.race([Promise.all(earlier.map(({ released }) => released)), cancelled.promise])
  stop.hear(undefined)
}
