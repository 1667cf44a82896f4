import { type AST, parseTOML } from 'toml-eslint-parser'
import type { SettingsPath } from './check-value.ts'

/** A position in a text; line and column count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Returns the position of a key in valid TOML. For a key without its own position: the first key below it, as for `tool` in `[tool.shell]`, else the nearest key above it. */
export function locateKey(source: string, path: SettingsPath): Position {
  const places: Places = []
  for (const node of parseTOML(source).body[0].body) collect(node, [], places)
  const above = places.filter((place) => isWithin(path, place.path))
  const deepest = Math.max(0, ...above.map((place) => place.path.length))
  const below = deepest === path.length ? undefined : places.find((place) => isWithin(place.path, path))
  const best = below ?? above.findLast((place) => place.path.length === deepest)
  const start = best?.node.loc.start ?? { line: 1, column: 0 }
  return { line: start.line, column: start.column + 1 }
}

/** True when a path equals another or is below it. */
function isWithin(path: SettingsPath, other: SettingsPath): boolean {
  return other.length <= path.length && other.every((part, index) => part === path[index])
}

type Places = { path: SettingsPath; node: AST.TOMLNode }[]

function collect(node: AST.TOMLNode, above: SettingsPath, places: Places): void {
  if (node.type === 'TOMLTable') {
    const path = [...above, ...node.resolvedKey]
    places.push({ path, node: node.key })
    for (const member of node.body) collect(member, path, places)
  } else if (node.type === 'TOMLKeyValue') {
    const path = [...above, ...node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))]
    places.push({ path, node: node.key })
    collect(node.value, path, places)
  } else if (node.type === 'TOMLArray') {
    for (const [index, element] of node.elements.entries()) {
      places.push({ path: [...above, index], node: element })
      collect(element, [...above, index], places)
    }
  } else if (node.type === 'TOMLInlineTable') {
    for (const member of node.body) collect(member, above, places)
  }
}
