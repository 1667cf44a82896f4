import type { OpenedHost } from '../host.ts'

/** How long an unused host stays open, in milliseconds. */
const LINGER = 60_000

/** The open hosts of a home, one for each workspace. */
export interface HostPool {
  /** Opens the host of a workspace, or returns the one that is open. */
  find(workspace: string): Promise<OpenedHost>
  /** The same, and keeps it open until the returned function is called. */
  use(workspace: string): Promise<{ readonly opened: OpenedHost; release(): void }>
  /** Makes the next use of a workspace open a new host. What runs in the old one ends there. */
  reopen(workspace: string): void
  /** Closes all hosts. */
  close(): Promise<void>
}

/** Makes an empty pool. */
export function createHostPool(open: (workspace: string) => Promise<OpenedHost>): HostPool {
  const hosts = new Map<string, Promise<OpenedHost>>()
  /** Hosts that were replaced and are still open. */
  const retired = new Set<OpenedHost>()
  let isClosing = false

  const find = (workspace: string): Promise<OpenedHost> => {
    const known = hosts.get(workspace)
    if (known) return known
    const opening = open(workspace)
    hosts.set(workspace, opening)
    opening.catch(() => hosts.delete(workspace))
    return opening
  }
  /** Closes an unused host after a while. If something still runs in it, tries again later. */
  const closeIdle = (workspace: string, opened: OpenedHost): void => {
    setTimeout(async () => {
      if ((opened.users > 0 && !retired.has(opened)) || isClosing) return
      if (opened.isBusy) return closeIdle(workspace, opened)
      if ((await hosts.get(workspace)) === opened) hosts.delete(workspace)
      retired.delete(opened)
      opened.closeParts().catch(() => undefined)
    }, LINGER).unref()
  }
  return {
    find,
    async use(workspace) {
      const opened = await find(workspace)
      opened.users++
      let isUsed = true
      const release = () => {
        if (isUsed && --opened.users === 0) closeIdle(workspace, opened)
        isUsed = false
      }
      return { opened, release }
    },
    reopen(workspace) {
      const opening = hosts.get(workspace)
      hosts.delete(workspace)
      opening?.then(
        (opened) => {
          retired.add(opened)
          closeIdle(workspace, opened)
        },
        () => undefined,
      )
    },
    async close() {
      isClosing = true
      for (const opened of await Promise.allSettled(hosts.values()))
        if (opened.status === 'fulfilled') await opened.value.closeParts()
      for (const opened of retired) await opened.closeParts()
    },
  }
}
