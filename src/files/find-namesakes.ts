import { constants, readdirSync } from 'node:fs'
import { type Descriptor, openBelow, openToLook, pathOf } from './descriptor.ts'
import { joinPath, type Space } from './space.ts'

/** Entries that are looked at, and namesakes that are named. */
const LOOKED_AT = 3_000
const NAMED = 3

/** Where else in the workspace something has this very name: near the top first, a few at most. Never follows a link, never throws. */
export function findNamesakes(space: Space, name: string): string[] {
  const found: string[] = []
  let left = LOOKED_AT
  let level = ['.']
  while (level.length > 0 && left > 0 && found.length < NAMED) {
    const below: string[] = []
    for (const path of level) {
      for (const entry of entriesOf(space, path).slice(0, Math.max(0, left))) {
        left--
        if (entry.name === name) found.push(joinPath(path, name))
        if (entry.isDirectory() && !isDull(entry.name)) below.push(joinPath(path, entry.name))
      }
    }
    level = below
  }
  return found.slice(0, NAMED)
}

function isDull(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

function entriesOf(space: Space, path: string) {
  try {
    using folder = openFolderPartByPart(space, path)
    return readdirSync(pathOf(folder), { withFileTypes: true })
  } catch {
    return []
  }
}

function openFolderPartByPart(space: Space, path: string): Descriptor {
  let folder = openToLook(space.root, constants.O_DIRECTORY)
  if (path === '.') return folder
  for (const name of path.split('/')) {
    using parent = folder
    folder = openBelow(parent, name, constants.O_DIRECTORY)
  }
  return folder
}
