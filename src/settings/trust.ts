import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../core/text/json.ts'
import { lazyCrypto } from '../core/text/lazy-crypto.ts'

/** The projects that a person trusts, by the content they saw. */
export interface Trust {
  isTrusted(workspace: string, content: string): boolean
  /** Records that exactly this content is trusted in this workspace. */
  record(workspace: string, content: string): void
}

/** Opens the trust file in Haft's home; without a home nothing is or can be trusted. */
export function openTrust(home: string | undefined): Trust {
  if (home === undefined) {
    return {
      isTrusted: () => false,
      record: () => {
        throw new Error('trust is stored in HAFT_HOME, which is not available')
      },
    }
  }
  const path = join(home, 'trust.json')
  return {
    isTrusted: (workspace, content) => readTrusted(path)[workspace] === hashOf(content),
    record(workspace, content) {
      const trusted = { ...readTrusted(path), [workspace]: hashOf(content) }
      mkdirSync(home, { recursive: true, mode: 0o700 })
      writeFileSync(`${path}.new`, `${JSON.stringify(trusted, null, 2)}\n`, { mode: 0o600 })
      renameSync(`${path}.new`, path)
    },
  }
}

/** Returns no trust when the file is missing or invalid. */
function readTrusted(path: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(read) ? read : {}
  } catch {
    return {}
  }
}

function hashOf(content: string): string {
  return lazyCrypto().createHash('sha256').update(content).digest('hex')
}
