import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { lazyCrypto } from '../core/lazy-crypto.ts'
import type { Trust } from './trust.ts'

/** The tools folder of a project, and whether a person has trusted its present content. */
export interface ProjectTools {
  readonly folder: string
  /** Its files, relative to it; empty where there is none. */
  readonly files: readonly string[]
  readonly isTrusted: boolean
  /** Names and digests of all its files: what a person trusts. Undefined where it has none, or so many that nobody reads them. */
  readonly content: string | undefined
}

/** The most files and bytes that a person can be expected to have read. */
const MAX_FILES = 1_000
const MAX_BYTES = 20_000_000

/** Where a project's tools lie. */
export function projectToolsFolder(workspace: string): string {
  return join(workspace, '.haft/tools')
}

/** Reads what a project's tools folder holds now. Any change to any file in it takes the trust away. */
export function readProjectTools(workspace: string, trust: Trust): ProjectTools {
  const folder = projectToolsFolder(workspace)
  const listed = listFiles(folder)
  const files = (listed ?? []).map((path) => relative(folder, path))
  const content = listed && listed.length > 0 ? describeFiles(listed, folder) : undefined
  return { folder, files, content, isTrusted: content !== undefined && trust.isTrusted(folder, content) }
}

/** Every file below a folder, sorted; undefined where there are too many. A link is one file: what it leads to can change unseen. */
function listFiles(folder: string): readonly string[] | undefined {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  const files: string[] = []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) if (!entry.isDirectory()) files.push(join(entry.parentPath, entry.name))
  return files.length > MAX_FILES ? undefined : files.sort()
}

function describeFiles(files: readonly string[], folder: string): string | undefined {
  const rows: string[] = []
  let bytes = 0
  for (const file of files) {
    const stats = lstatSync(file)
    bytes += stats.size
    // A link, a pipe or a device has no content of its own that could be trusted.
    if (bytes > MAX_BYTES || !(stats.isFile() || stats.isSymbolicLink())) return undefined
    const what = stats.isSymbolicLink() ? `link to ${readlinkSync(file)}` : digest(readFileSync(file))
    rows.push(`${JSON.stringify(relative(folder, file))} ${what}`)
  }
  return rows.join('\n')
}

function digest(content: Buffer): string {
  return lazyCrypto().createHash('sha256').update(content).digest('hex')
}
