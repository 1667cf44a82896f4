import { join } from 'node:path'
import type { Tool } from '../../src/index.ts'
import { loadToolFolder } from '../../src/registry/load-folder.ts'

/** Where the tools lie that only tests offer: one per effect, and those that throw, hang and flood. */
export const TOOLS_FOLDER = join(import.meta.dirname, 'tools')

/** The example tools. */
export async function exampleTools(): Promise<Tool[]> {
  const { tools, skipped } = await loadToolFolder(TOOLS_FOLDER)
  if (skipped.length > 0) throw new Error(JSON.stringify(skipped))
  return tools.map(({ tool }) => tool)
}
