import { constants, readdirSync } from 'node:fs'
import { type Descriptor, openBelow, openToLook, pathOf } from './descriptor.ts'
import { joinPath, type WorkspaceRoot } from './workspace-root.ts'

/** How many entries are examined, and how many matches are returned. */
const LOOKED_AT = 3_000
const NAMED = 3

/** Finds other entries of the workspace with the same name, nearest to the root first. Never follows a link, never throws. */
export function findNamesakes(root: WorkspaceRoot, name: string): string[] {
  const found: string[] = []
  let left = LOOKED_AT
  let level = ['.']
  while (level.length > 0 && left > 0 && found.length < NAMED) {
    const below: string[] = []
    for (const path of level) {
      for (const entry of entriesOf(root, path).slice(0, Math.max(0, left))) {
        left--
        if (entry.name === name) found.push(joinPath(path, name))
        if (entry.isDirectory() && !isSkipped(entry.name)) below.push(joinPath(path, entry.name))
      }
    }
    level = below
  }
  return found.slice(0, NAMED)
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

function entriesOf(root: WorkspaceRoot, path: string) {
  try {
    using folder = openFolderPartByPart(root, path)
    return readdirSync(pathOf(folder), { withFileTypes: true })
  } catch {
    return []
  }
}

function openFolderPartByPart(root: WorkspaceRoot, path: string): Descriptor {
  let folder = openToLook(root.realPath, constants.O_DIRECTORY)
  if (path === '.') return folder
  for (const name of path.split('/')) {
    using parent = folder
    folder = openBelow(parent, name, constants.O_DIRECTORY)
  }
  return folder
}
