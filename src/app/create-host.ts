import { checkOptions, type HomeOptions } from './home-options.ts'
import type { Host } from './host.ts'
import { openHome } from './open-home.ts'

/** The options of `createHost`; all are optional. */
export interface HostOptions extends HomeOptions {
  /** The folder that calls work in; the current folder when left out. */
  readonly workspace?: string
}

/** Opens a home with one host: the short form for programs that work in one workspace. Closing the host closes both. Rejects if the workspace is not a folder or too wide, a tool name is taken, or a rule or the settings are invalid. */
export async function createHost({ workspace = process.cwd(), ...options }: HostOptions = {}): Promise<Host> {
  checkOptions(options, ['workspace'])
  const home = await openHome(options)
  try {
    const host = await home.host(workspace)
    return {
      ...host,
      get mode() {
        return host.mode
      },
      close: home.close,
    }
  } catch (thrown) {
    await home.close()
    throw thrown
  }
}
