import { openHome } from './home.ts'
import type { HomeOptions } from './home-options.ts'
import type { Host } from './host.ts'

/** What a host of its own is made of; everything may be left out. */
export interface HostOptions extends HomeOptions {
  /** The folder calls work in; the current one when left out. */
  readonly workspace?: string
}

/** Opens a home with one host: the short form for programs that work in one workspace. Closing the host closes both. Throws where the workspace is no folder or too wide, a name is taken, a rule is wrong or settings are. */
export async function createHost({ workspace = process.cwd(), ...options }: HostOptions = {}): Promise<Host> {
  const home = await openHome(options)
  try {
    const host = await home.host(workspace)
    return { ...host, close: home.close }
  } catch (thrown) {
    await home.close()
    throw thrown
  }
}
