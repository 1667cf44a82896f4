import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createHost, type Host, type HostOptions, type Tool } from '../../src/index.ts'
import { loadToolFolder } from '../../src/registry/load-folder.ts'
import { temporaryFolder } from './temporary-folder.ts'

export { temporaryFolder }

/** Where the tools lie that only tests offer: one per effect, and those that throw, hang and flood. */
export const TOOLS_FOLDER = join(import.meta.dirname, 'tools')

/** The example tools. */
export async function exampleTools(): Promise<Tool[]> {
  const { tools, skipped } = await loadToolFolder(TOOLS_FOLDER)
  if (skipped.length > 0) throw new Error(JSON.stringify(skipped))
  return tools.map(({ tool }) => tool)
}

/** A host with the example tools in a folder of its own; both are gone when the test ends. */
export async function exampleHost(options: HostOptions = {}): Promise<Host> {
  const host = await createHost({ workspace: temporaryFolder(), tools: await exampleTools(), ...options })
  onTestFinished(() => host.close())
  return host
}
