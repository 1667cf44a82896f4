import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Grant, type Grants, isGrantLive } from '../core/grant.ts'
import { messageOf } from '../core/result.ts'
import { createCountedGrants } from './counted-grants.ts'
import { readGrants, writeGrants } from './grants-text.ts'
import { withLock } from './with-lock.ts'

/** Opens the grants kept in Haft's home, in a file of Haft's own; without a home they are forgotten with the process. */
export function openGrants(home: string | undefined): Grants {
  if (home === undefined) return createCountedGrants(memoryFile())
  return createCountedGrants(grantsFile(home))
}

/** Grants and how they are changed: by one process at a time, whole or not at all. */
export interface GrantsFile {
  /** The same array while the file is the same. */
  read(): readonly Grant[]
  /** Puts what `change` makes of the grants in their place; throws where that cannot be. */
  change(change: (grants: readonly Grant[]) => readonly Grant[]): void
}

function memoryFile(): GrantsFile {
  let grants: readonly Grant[] = []
  return {
    read: () => grants,
    change(change) {
      grants = change(grants)
    },
  }
}

function grantsFile(home: string): GrantsFile {
  const path = join(home, 'grants.toml')
  let kept: readonly Grant[] = []
  let seen = ''
  const parse = (): readonly Grant[] => readGrants(requireToml().parse(readFileSync(path, 'utf8')))
  return {
    /** A file that is missing or broken grants nothing. */
    read() {
      const stamp = stampOf(path)
      if (stamp === seen) return kept
      seen = stamp
      try {
        kept = stamp === '' ? [] : parse()
      } catch (thrown) {
        kept = []
        process.emitWarning(`${path} grants nothing, for it cannot be read: ${messageOf(thrown)}`, 'HaftGrantsWarning')
      }
      return kept
    },
    change(change) {
      mkdirSync(home, { recursive: true, mode: 0o700 })
      withLock(join(home, 'grants.lock'), () => {
        const grants = change(stampOf(path) === '' ? [] : parse()).filter((grant) => isGrantLive(grant, Date.now()))
        writeFileSync(`${path}.new`, writeGrants(grants, requireToml().stringify), { mode: 0o600 })
        renameSync(`${path}.new`, path)
      })
    },
  }
}

type Toml = Pick<typeof import('smol-toml'), 'parse' | 'stringify'>

/** Loaded where there are grants, at once: rules are asked without waiting. */
function requireToml(): Toml {
  return createRequire(import.meta.url)('smol-toml')
}

/** Empty where there is no file. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : ''
}
