import type { PathLock, PathLocks } from '../../core/ports/path-locks.ts'

/** Lets one caller at a time decide about the plans of a workspace, among all processes of a home. */
export class WorkspaceTurns {
  readonly #locks: PathLocks
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(locks: PathLocks) {
    this.#locks = locks
  }

  /** Runs the work once no other of the same workspace runs. */
  async run<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(workspace) ?? Promise.resolve()
    const own = before.then(() => this.#locked(workspace, work))
    const settled = own.catch(() => undefined)
    this.#last.set(workspace, settled)
    try {
      return await own
    } finally {
      if (this.#last.get(workspace) === settled) this.#last.delete(workspace)
    }
  }

  async #locked<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    // No path of a file: it must not wait for calls that write in the workspace.
    const path = `/plans:${encodeURIComponent(workspace)}`
    let lock: PathLock | undefined
    for (;;) {
      lock = await this.#locks.tryLock([path])
      if (lock) break
      await this.#locks.changed(new AbortController().signal)
    }
    try {
      return await work()
    } finally {
      lock.release()
    }
  }
}
