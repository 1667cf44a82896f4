import { isRecord } from '../text/json.ts'
import { createInstallFileCheck, listInstallScripts } from './install-scripts.ts'
import { listFromBun, listFromPnpmLock, listFromYarn } from './lock-files.ts'
import { isFromRegistry, nameSource } from './package-sources.ts'

/**
 * Files that are trusted by what they hold: `npm install` and its like run scripts that a package.json names, and
 * install code from sources that it or its lock file names. A change is ordinary as long as it adds none of these.
 */
const READERS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'package.json': listFromPackage,
  'package-lock.json': listFromLock,
  'npm-shrinkwrap.json': listFromLock,
  'pnpm-workspace.yaml': listFromPnpm,
  'yarn.lock': listFromYarn,
  'pnpm-lock.yaml': listFromPnpmLock,
  'bun.lock': listFromBun,
  // Binary, so that every change counts.
  'bun.lockb': (text) => (text === '' ? [] : [text]),
  'composer.json': listFromComposer,
  'rust-toolchain.toml': listToolchainPaths,
  'rust-toolchain': listToolchainPaths,
  // npm runs node-gyp for it.
  'binding.gyp': (text) => [text],
}

/** The largest such file that is read, in bytes. */
export const MAX_TRUSTED_CONTENT = 20_000_000

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase()

/** True for a path whose content decides whether other programs run code because of it. Installed packages are not asked for scripts again. */
export function isTrustedByContent(path: string): boolean {
  return Object.hasOwn(READERS, nameOf(path)) && !isInstalled(path)
}

/** True for a path of installed packages. */
export function isInstalled(path: string): boolean {
  return /(^|\/)node_modules(\/|$)/i.test(path)
}

/** The files whose settings name registries. */
export const REGISTRY_SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml'] as const

/** Returns the registries that the settings of npm or yarn name: an install uses these anyway. */
export function listRegistries(settings: string): string[] {
  const named = settings.matchAll(
    /^\s*"?(?:(?:@[\w.-]+:)?registry"?\s*(?:=|\s)|npmRegistryServer"?\s*:)\s*["']?(https?:\/\/[^/\s"']+)/gm,
  )
  return [...named].map(([, address]) => `${address}/`)
}

/** True when a file with the new text makes other programs run code that the old one did not. `registries` are known sources besides those of the old text. */
export function runsMore(
  path: string,
  { before, after }: { readonly before: string | undefined; readonly after: string },
  registries: readonly string[] = [],
): boolean {
  const list = isTrustedByContent(path) ? READERS[nameOf(path)] : undefined
  if (list === undefined || before === after) return false
  const known = new Set([...registries, ...(before === undefined ? [] : list(before))])
  return list(after).some((entry) => !known.has(entry))
}

/** Reads JSON as npm does, which skips a byte order mark; undefined for other text. */
export function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The parts of a package.json that tools of git hooks read their commands from. */
export const HOOK_KEYS = [
  'husky',
  'lint-staged',
  'nano-staged',
  'simple-git-hooks',
  'pre-commit',
  'pre-push',
  'gitHooks',
]

/** The parts of a package.json that name what to install. */
const SOURCE_KEYS = [
  ...['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'overrides', 'resolutions'],
  ...['pnpm', 'packageManager', 'devEngines'],
]

/** A package.json with other text than JSON counts as a whole: some installers read more than JSON. */
function listFromPackage(text: string): string[] {
  if (text.trim() === '') return []
  const json = readJson(text)
  if (json === undefined) return [text]
  return [
    ...listInstallScripts(json.scripts),
    ...HOOK_KEYS.filter((key) => json[key] !== undefined).map((key) => `${key} ${JSON.stringify(json[key])}`),
    ...SOURCE_KEYS.flatMap((key) => listTexts(json[key])).filter((source) => !isFromRegistry(source)),
  ]
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

/** Lists the sources of a lock file: other registries by their host, anything else in full. */
function listFromLock(text: string): string[] {
  if (text.trim() === '') return []
  const json = readJson(text)
  return json === undefined ? [text] : [...listLocked(json.packages), ...listLocked(json.dependencies)]
}

function listLocked(packages: unknown): string[] {
  if (!isRecord(packages)) return []
  return Object.values(packages).flatMap((entry) => {
    if (!isRecord(entry)) return []
    const { resolved, version, link, integrity } = entry
    const isFolder = link === true && typeof resolved === 'string' && !isInstalled(resolved)
    const sources = [isFolder ? undefined : resolved, version].filter((source) => typeof source === 'string')
    return [...sources.flatMap((source) => nameSource(source, `${integrity}`)), ...listLocked(entry.dependencies)]
  })
}

/** What Composer runs at an install: scripts of its events, plugins that it may load, and code from other sources. */
function listFromComposer(text: string): string[] {
  const json = readJson(text)
  if (json === undefined) return text.trim() === '' ? [] : [text]
  const { scripts, repositories, config } = json
  const plugins = isRecord(config) ? config['allow-plugins'] : undefined
  const named = { scripts, repositories, plugins }
  return Object.entries(named).flatMap(([key, value]) =>
    isRecord(value) || Array.isArray(value)
      ? Object.entries(value).map(([name, one]) => `${key} ${name} ${JSON.stringify(one)}`)
      : [],
  )
}

/** A toolchain of rustup that is a folder: its programs run instead of those that are installed. */
function listToolchainPaths(text: string): string[] {
  return /\bpath\b|^\s*[./\\~]/m.test(text) ? [text] : []
}

/** Returns a function that tells whether an install script of a package.json above a path names it: `"postinstall": "node scripts/setup.js"` runs that file at the next install. `readManifest` returns the text of the package.json in a folder; each is read once. */
export function createInstallCheck(readManifest: (folder: string) => string | undefined): (path: string) => boolean {
  const known = new Map<string, (path: string) => boolean>()
  const checkOf = (folder: string) => {
    const seen = known.get(folder) ?? createInstallFileCheck(readJson(readManifest(folder) ?? '')?.scripts)
    known.set(folder, seen)
    return seen
  }
  return (path) => {
    if (isInstalled(path)) return false
    const parts = path.split('/')
    return parts.some((_, depth) => checkOf(parts.slice(0, depth).join('/'))(parts.slice(depth).join('/')))
  }
}

/** A pnpm-workspace.yaml that holds more than the list of packages can name scripts and shells, and counts as a whole. */
function listFromPnpm(text: string): string[] {
  const isPlain = text.split(/\r?\n/).every((line) => /^(\s|#|-|$|(packages|catalogs?):)/.test(line))
  return isPlain ? [] : [text]
}
