import type { ToolError } from '../../../core/call/result.ts'

/** Lets those who wait for a commit at the same time share one. */
export interface GroupCommit {
  /** Resolves when all that was added before is committed; rejects with UNAVAILABLE. */
  wait(): Promise<void>
  /** Commits now, for those who wait already. */
  run(): void
}

/** `flush` commits, or gives false; `problem` says why then. */
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
