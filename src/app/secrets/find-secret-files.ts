import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The most folders that are searched, the nearest first. */
const MAX_FOLDERS = 2_000
/** How many folders are read at the same time. */
const AT_ONCE = 32

/** Folders of packages and build results: large, and made from what is elsewhere. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...['.git', '.hg', '.svn', 'node_modules', 'bower_components', 'vendor', '__pycache__', '.venv', 'venv', '.tox'],
  ...['dist', 'build', 'target', 'out', '.next', '.nuxt', '.cache', 'coverage', '.gradle', '.terraform', 'Pods'],
])

/** True for the name of a file of variables with their values; examples and templates have none. */
export function isEnvFile(name: string): boolean {
  return /^\.env(?:\.(?!example|sample|template|dist|defaults?|schema)[\w.-]+)?$|^\.envrc$/.test(name)
}

/** True for the name of a file that holds nothing but keys or passwords; the default rules deny to read these. */
export function isKeyFile(name: string): boolean {
  return KEY_FILE.test(name)
}
const KEY_FILE =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?|deploy[-_]key|wallet\.dat|\.netrc|\.git-credentials|\.pgpass|\.htpasswd|\.vault_pass|\.dockercfg)$/

/** True for the name of a file of either kind. */
export function isSecretFile(name: string): boolean {
  return isEnvFile(name) || isKeyFile(name)
}

/** Returns the paths of secret files in a workspace, the nearest first. Follows no links and never rejects. */
export async function findSecretFiles(workspace: string): Promise<string[]> {
  const found: string[] = []
  let level = [workspace]
  for (let left = MAX_FOLDERS; level.length > 0 && left > 0; ) {
    const now = level.slice(0, Math.min(AT_ONCE, left))
    left -= now.length
    const below = await Promise.all(now.map((folder) => readFolder(folder)))
    for (const { files } of below) found.push(...files)
    level = [...level.slice(now.length), ...below.flatMap(({ folders }) => folders)]
  }
  return found
}

interface FolderContent {
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

async function readFolder(folder: string): Promise<FolderContent> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return {
    files: entries
      .filter((entry) => !entry.isDirectory() && isSecretFile(entry.name))
      .map(({ name }) => join(folder, name)),
    folders: entries
      .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
      .map(({ name }) => join(folder, name)),
  }
}

/** Returns the names in a folder; empty when it cannot be read. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
