import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Grant, type Grants, isGrantLive } from '../../core/approval/grant.ts'
import { messageOf } from '../../core/call/result.ts'
import { changeFile, readText } from '../kept-file.ts'
import { requireToml } from '../require-toml.ts'
import { createCountedGrants, type GrantsFile } from './counted-grants.ts'
import { readGrants, writeGrants } from './grants-text.ts'

/** Opens the grants file in Haft's home. Without a home, grants last as long as the process. */
export function openGrants(home: string | undefined): Grants {
  if (home === undefined) return createCountedGrants(memoryFile())
  return createCountedGrants(grantsFile(home))
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
  const parse = (text: string): readonly Grant[] => readGrants(requireToml().parse(text))
  return {
    /** Returns no grants when the file is missing or invalid. */
    read() {
      const stamp = stampOf(path)
      if (stamp === seen) return kept
      seen = stamp
      try {
        kept = stamp === '' ? [] : parse(readText(path) ?? '')
      } catch (thrown) {
        kept = []
        process.emitWarning(`${path} is ignored because it cannot be read: ${messageOf(thrown)}`, 'HaftGrantsWarning')
      }
      return kept
    },
    change(change) {
      changeFile(path, (text) => {
        const grants = change(text === undefined ? [] : parse(text)).filter((grant) => isGrantLive(grant, Date.now()))
        return writeGrants(grants, requireToml().stringify)
      })
    },
  }
}

/** Returns empty text when there is no file. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : ''
}
