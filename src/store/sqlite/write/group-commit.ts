import type { ToolError } from '../../../core/call/result.ts'

/** Shares one commit between callers that wait at the same time. */
export interface GroupCommit {
  /** Resolves when everything added before is committed; rejects with UNAVAILABLE. */
  wait(): Promise<void>
  /** Commits now for the current waiters. */
  run(): void
}

/** Creates a group commit. `flush` commits or returns false; `problem` then returns the reason. */
export function createGroupCommit(flush: () => boolean, problem: () => ToolError): GroupCommit {
  let group: PromiseWithResolvers<void> | undefined
  const run = (): void => {
    const waiting = group
    group = undefined
    if (flush()) waiting?.resolve()
    else waiting?.reject(problem())
  }
  return {
    wait() {
      if (!group) {
        group = Promise.withResolvers<void>()
        setImmediate(run)
      }
      return group.promise
    },
    run,
  }
}
