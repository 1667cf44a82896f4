import type { Home } from '../app/home.ts'
import type { Host } from '../app/host.ts'

/** The host of the workspace that a server was started for. */
export interface OwnHost {
  /** Opens it, or returns the one that is open. */
  open(): Promise<Host>
  /** Makes the next use open a new one, with the settings and the trust of now. */
  renew(): void
  close(): void
}

/** Keeps the server's own host open: looking it up for each request cost more than the answer (gate 8a). */
export function keepOwnHost(home: Home, workspace: string): OwnHost {
  let opened: Promise<Host> | undefined
  const close = () => {
    opened?.then((host) => host.close()).catch(() => undefined)
    opened = undefined
  }
  return {
    open() {
      if (opened === undefined) {
        const opening = home.host(workspace)
        opened = opening
        // A workspace that cannot be opened now may be there later.
        opening.catch(() => {
          if (opened === opening) opened = undefined
        })
      }
      return opened
    },
    renew() {
      close()
      home.reopen(workspace)
    },
    close,
  }
}
