import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const DIST = join(import.meta.dirname, '../../dist')

/** A file of the built package; throws where it was not built. */
export function builtFile(path: string): string {
  const file = join(DIST, path)
  if (!existsSync(file)) throw new Error(`dist/${path} is not there; \`npm run build\` makes it`)
  return file
}

/** The built package as a program imports it. */
export async function importHaft(): Promise<typeof import('../../src/index.ts')> {
  return await import(pathToFileURL(builtFile('index.js')).href)
}
