import { type AST, parseTOML } from 'toml-eslint-parser'
import type { SettingsPath } from './check-value.ts'

/** A place in a text, both counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Where the key at this path stands in a TOML text that parses; the nearest key above it when it has no place of its own. */
export function locateKey(source: string, path: SettingsPath): Position {
  const places: { path: SettingsPath; node: AST.TOMLNode }[] = []
  for (const node of parseTOML(source).body[0].body) collect(node, [], places)
  let best: { path: SettingsPath; node: AST.TOMLNode } | undefined
  for (const place of places) {
    const isOnTheWay = place.path.length <= path.length && place.path.every((part, index) => part === path[index])
    if (isOnTheWay && place.path.length >= (best?.path.length ?? 0)) best = place
  }
  const start = best?.node.loc.start ?? { line: 1, column: 0 }
  return { line: start.line, column: start.column + 1 }
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
