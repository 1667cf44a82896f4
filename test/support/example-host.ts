import { onTestFinished } from 'vitest'
import { createHost, type Host, type HostOptions } from '../../src/index.ts'
import { exampleTools, TOOLS_FOLDER } from './example-tools.ts'
import { temporaryFolder } from './temporary-folder.ts'

export { exampleTools, TOOLS_FOLDER, temporaryFolder }

/** A host with the example tools in a folder of its own; both are gone when the test ends. */
export async function exampleHost(options: HostOptions = {}): Promise<Host> {
  const host = await createHost({ workspace: temporaryFolder(), tools: await exampleTools(), ...options })
  onTestFinished(() => host.close())
  return host
}
