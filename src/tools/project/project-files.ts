import { ToolError } from '../../core/call/result.ts'
import type { ReadFiles } from '../../core/ports/files.ts'
import { isRecord } from '../../core/text/json.ts'

/** The files of a project that tell how it is tested, formatted and installed. */
export interface Project {
  /** Its folder, relative to the workspace; `.` for the workspace itself. */
  readonly folder: string
  has(name: string): boolean
  /** The text of a file, empty if it is missing or cannot be read. */
  text(name: string): string
  /** The content of package.json; undefined if there is none. */
  readonly manifest: Readonly<Record<string, unknown>> | undefined
  /** The names in a folder of the project. */
  names(folder?: string): readonly string[]
}

const MAX_READ = 1_000_000

/** Opens a folder as a project. */
export function openProject(files: ReadFiles, folder: string): Project {
  const at = (name: string) => (folder === '.' ? name : `${folder}/${name}`)
  const text = (name: string): string => {
    try {
      return files.readText(at(name), MAX_READ).text ?? ''
    } catch (thrown) {
      if (thrown instanceof ToolError) return ''
      throw thrown
    }
  }
  const names = (below = '.'): readonly string[] => {
    try {
      return files.list(at(below), { hidden: true, limit: 1_000 }).entries.map(({ name }) => name)
    } catch (thrown) {
      if (thrown instanceof ToolError) return []
      throw thrown
    }
  }
  const own = new Set(names())
  const has = (name: string): boolean => {
    const slash = name.lastIndexOf('/')
    return slash < 0 ? own.has(name) : names(name.slice(0, slash)).includes(name.slice(slash + 1))
  }
  return { folder, has, text, names, manifest: has('package.json') ? readManifest(text('package.json')) : undefined }
}

function readManifest(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    // A broken package.json is none; npm itself says what is wrong with it.
    return undefined
  }
}

/** The folders from that of a path up to the workspace, the nearest first. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), '.']
}

/** True if package.json names a package as a dependency. */
export function dependsOn({ manifest }: Project, name: string): boolean {
  return ['dependencies', 'devDependencies', 'peerDependencies'].some((kind) => {
    const list = manifest?.[kind]
    return isRecord(list) && Object.hasOwn(list, name)
  })
}

/** A script of package.json; empty if there is none. */
export function scriptOf({ manifest }: Project, name: string): string {
  const scripts = manifest?.scripts
  const script = isRecord(scripts) ? scripts[name] : undefined
  return typeof script === 'string' ? script : ''
}
