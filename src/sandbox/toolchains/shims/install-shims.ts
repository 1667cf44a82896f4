import { join } from 'node:path'
import {
  type Entry,
  findVersion,
  isVersionName,
  listFolder,
  readNearest,
  readText,
  type VersionContext,
} from './versions.ts'

/** Tools that have different names in asdf and mise. */
const OTHER_NAMES: Readonly<Record<string, string>> = { node: 'nodejs', nodejs: 'node', go: 'golang', golang: 'go' }

/** Resolves asdf and mise: `installs/TOOL/VERSION/bin` of each version that the project or the user selects. */
export function resolveInstallShims(root: string, context: VersionContext): Entry[] {
  const chosen = readChoices(context)
  const installs = join(root, 'installs')
  return listFolder(installs).flatMap((tool) => {
    const variable = tool.toUpperCase().replaceAll('-', '_')
    const named = context.env[`ASDF_${variable}_VERSION`] ?? context.env[`MISE_${variable}_VERSION`]
    const versions = named?.split(/\s+/) ?? chosen.get(tool) ?? chosen.get(OTHER_NAMES[tool] ?? '') ?? []
    return versions.filter(isVersionName).flatMap((version) => findVersion(join(installs, tool), version))
  })
}

/** Returns the selected versions of each tool; the project's choice overrides the user's. */
function readChoices(context: VersionContext): Map<string, string[]> {
  const settings = context.env.XDG_CONFIG_HOME ?? join(context.env.HOME ?? '/nonexistent', '.config')
  const tables = [
    readTable(readText(join(settings, 'mise/config.toml'))),
    readLines(readNearest(['.tool-versions'], context)),
    readTable(readNearest(['mise.toml', '.mise.toml'], context)),
  ]
  return new Map(tables.flatMap((table) => [...table]))
}

/** `.tool-versions`: a tool and its versions on each line. */
function readLines(text = ''): Map<string, string[]> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  return new Map(lines.flatMap(([tool = '', ...versions]) => (versions.length > 0 ? [[tool, versions]] : [])))
}

/** Reads the strings in the `[tools]` table of a `mise.toml`; no other TOML is needed here. */
function readTable(text = ''): Map<string, string[]> {
  const table = /^\[tools\][^\n]*\n([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text)?.[1] ?? ''
  const lines = table.matchAll(/^\s*"?([\w.-]+)"?\s*=\s*([^#\n]*)/gm)
  return new Map(
    [...lines].map(([, tool = '', value = '']) => {
      const words = value.startsWith('{') ? (/\bversion\s*=\s*("[^"]*"|'[^']*')/.exec(value)?.[1] ?? '') : value
      return [tool, [...words.matchAll(/["']([^"']*)["']/g)].map(([, version = '']) => version)]
    }),
  )
}
