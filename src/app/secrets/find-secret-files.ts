import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The most folders that are searched, the nearest first. */
const MAX_FOLDERS = 2_000
/** How many folders are read in one step. */
const STEP = 100

/** Folders of packages and build results: large, and made from what is elsewhere. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...[
    '.git',
    '.hg',
    '.svn',
    'node_modules',
    'bower_components',
    'vendor',
    '__pycache__',
    '.venv',
    'venv',
    '.env',
    '.tox',
  ],
  ...['dist', 'build', 'target', 'out', '.next', '.nuxt', '.cache', 'coverage', '.gradle', '.terraform', 'Pods'],
])

/** True for the name of a file of variables with their values; examples and templates have none. */
export function isEnvFile(name: string): boolean {
  return ENV_FILE.test(name) && !EXAMPLE.test(name)
}
const ENV_FILE =
  /^\.env(?:[._-][\w.-]+)?$|^[\w.-]+\.env$|^\.envrc(?:\.[\w.-]+)?$|^\.dev\.vars(?:\.[\w.-]+)?$|^\.flaskenv$/i
const EXAMPLE =
  /[._-](?:example|sample|template|tmpl|dist|defaults?|schema)(?:[._-]|$)|^(?:example|sample|template)\.env$/i

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

/** A search for secret files, which goes from the nearest folders to the farthest. */
export interface SecretSearch {
  /** Reads the next folders and returns the secret files in them. Follows no links and never throws. */
  next(): readonly string[]
  readonly isDone: boolean
}

/** Begins a search. Reading one step of folders takes about two milliseconds. */
export function searchSecretFiles(workspace: string): SecretSearch {
  const folders = [workspace]
  let read = 0
  return {
    get isDone() {
      return read === folders.length || read >= MAX_FOLDERS
    },
    next() {
      const found: string[] = []
      for (const last = read + STEP; read < last && read < folders.length; read++) {
        const content = readFolder(folders[read] ?? '')
        found.push(...content.files)
        folders.push(...content.folders)
      }
      return found
    },
  }
}

/** What a folder holds, as paths. */
export interface FolderContent {
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

/** Returns the secret files of a folder and the folders in it that are searched; nothing when it cannot be read. */
export function readFolder(folder: string): FolderContent {
  const entries = tryRead(folder)
  const paths = (some: readonly Dirent[]) => some.map(({ name }) => join(folder, name))
  return {
    files: paths(entries.filter((entry) => !entry.isDirectory() && isSecretFile(entry.name))),
    folders: paths(entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))),
  }
}

function tryRead(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
