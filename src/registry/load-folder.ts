import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../core/call/result.ts'
import type { Loaded } from '../core/ports/tool-source.ts'
import { isRecord } from '../core/text/json.ts'
import type { Skipped } from '../core/tool/snapshot.ts'
import type { Tool } from '../core/tool/tool.ts'

/** Loads every tool file of a folder in the order of names. A tool is the default export of a file. */
export async function loadToolFolder(folder: string): Promise<Loaded> {
  const files = readdirSync(folder).filter(isToolFile).sort()
  const found = await Promise.all(files.map((file) => loadToolFile(join(folder, file))))
  return {
    tools: found.flatMap((one) => ('tool' in one ? [one] : [])),
    skipped: found.flatMap((one) => ('reason' in one ? [one] : [])),
  }
}

function isToolFile(file: string): boolean {
  return /\.(js|ts)$/.test(file) && !/\.(d|test)\.ts$/.test(file) && !file.startsWith('.')
}

async function loadToolFile(path: string): Promise<{ tool: Tool; source: string } | Skipped> {
  const source = basename(path)
  try {
    const module: unknown = await import(pathToFileURL(path).href)
    const tool = isRecord(module) ? module.default : undefined
    return isTool(tool)
      ? { tool, source }
      : { source, reason: 'its default export is not a tool; expected `export default defineTool({…})`' }
  } catch (thrown) {
    return { source, reason: `it could not be loaded: ${messageOf(thrown)}` }
  }
}

function isTool(value: unknown): value is Tool {
  return isRecord(value) && typeof value.name === 'string' && ('execute' in value || 'steps' in value)
}
