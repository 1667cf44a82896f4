import { join } from 'node:path'
import { type Choosing, type Entry, findVersion, isVersionName, listFolder, readNearest, readText } from './versions.ts'

/** Names that one manager gives to what another calls otherwise. */
const OTHER_NAMES: Readonly<Record<string, string>> = { node: 'nodejs', nodejs: 'node', go: 'golang', golang: 'go' }

/** asdf and mise: `installs/TOOL/VERSION/bin` of each version that the project or the user chooses. */
export function resolveInstallShims(root: string, choosing: Choosing): Entry[] {
  const chosen = readChoices(choosing)
  const installs = join(root, 'installs')
  return listFolder(installs).flatMap((tool) => {
    const variable = tool.toUpperCase().replaceAll('-', '_')
    const named = choosing.env[`ASDF_${variable}_VERSION`] ?? choosing.env[`MISE_${variable}_VERSION`]
    const versions = named?.split(/\s+/) ?? chosen.get(tool) ?? chosen.get(OTHER_NAMES[tool] ?? '') ?? []
    return versions.filter(isVersionName).flatMap((version) => findVersion(join(installs, tool), version))
  })
}

/** What is chosen for each tool, the project's word before the user's. */
function readChoices(choosing: Choosing): Map<string, string[]> {
  const settings = choosing.env.XDG_CONFIG_HOME ?? join(choosing.env.HOME ?? '/nonexistent', '.config')
  const tables = [
    readTable(readText(join(settings, 'mise/config.toml'))),
    readLines(readNearest(['.tool-versions'], choosing)),
    readTable(readNearest(['mise.toml', '.mise.toml'], choosing)),
  ]
  return new Map(tables.flatMap((table) => [...table]))
}

/** `.tool-versions`: a tool and its versions on each line. */
function readLines(text = ''): Map<string, string[]> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  return new Map(lines.flatMap(([tool = '', ...versions]) => (versions.length > 0 ? [[tool, versions]] : [])))
}

/** The strings in the `[tools]` table of a `mise.toml`; that is all of the language that is needed here. */
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
