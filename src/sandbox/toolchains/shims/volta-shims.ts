import { join } from 'node:path'
import { isRecord } from '../../../core/text/json.ts'
import { type Entry, findVersion, isVersionName, readText, type VersionContext } from './versions.ts'

const TOOLS = ['node', 'npm', 'pnpm', 'yarn'] as const

/** Resolves Volta: `tools/image/TOOL/VERSION/bin` of the version that package.json pins, else the user's default. */
export function resolveVoltaShims(root: string, { workspace }: VersionContext): Entry[] {
  const pinned = readRecord(readRecord(readText(join(workspace, 'package.json'))).volta)
  const platform = readRecord(readText(join(root, 'tools/user/platform.json')))
  const node = readRecord(platform.node)
  const usual: Record<string, unknown> = { ...platform, node: node.runtime, npm: node.npm }
  return [...TOOLS].reverse().flatMap((tool) => {
    const version = pinned[tool] ?? usual[tool]
    return typeof version === 'string' && isVersionName(version)
      ? findVersion(join(root, 'tools/image', tool), version)
      : []
  })
}

/** Returns a record, parsed from JSON text if needed; empty for everything else. */
function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value
  if (typeof value !== 'string') return {}
  try {
    const parsed: unknown = JSON.parse(value)
    return isRecord(parsed) ? parsed : {}
  } catch {
    return {}
  }
}
