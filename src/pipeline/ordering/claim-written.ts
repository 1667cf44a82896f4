import type { CallRun } from '../call-run.ts'
import type { Judged } from '../judge/judged.ts'
import { claimPaths, writtenPaths } from './path-claims.ts'

/** Waits for other calls that write to the paths of this one. From then on they stay unchanged until the call ends or waits for an approval. Rejects with CONFLICT if two calls would wait for each other. */
export async function claimWritten({ touches }: Pick<Judged, 'touches'>, run: CallRun): Promise<void> {
  const { parts, request } = run
  run.claim?.release()
  const paths = writtenPaths(touches, parts.workspace)
  run.claim =
    paths.length === 0 ? undefined : await claimPaths(paths, { stop: request.stop, locks: parts.storage.locks })
}
