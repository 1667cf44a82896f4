import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../core/text/json.ts'
import { lazyCrypto } from '../core/text/lazy-crypto.ts'
import { changeFile, readText, replaceFile } from './kept-file.ts'

/** The projects that a person trusts, by the content they saw. */
export interface Trust {
  isTrusted(workspace: string, content: string): boolean
  /** Records that exactly this content is trusted in this workspace. */
  record(workspace: string, content: string): void
  /** Returns the content that was trusted last in this workspace; undefined where none was, or where its text is not kept. */
  find(workspace: string): string | undefined
}

/** Opens the trust file in Haft's home; without a home nothing is or can be trusted. */
export function openTrust(home: string | undefined): Trust {
  if (home === undefined) {
    return {
      isTrusted: () => false,
      find: () => undefined,
      record: () => {
        throw new Error('trust is stored in HAFT_HOME, which is not available')
      },
    }
  }
  const path = join(home, 'trust.json')
  /** Where the trusted text of a workspace is kept, so that a person can be shown what has changed since. */
  const textOf = (workspace: string) => join(home, 'trusted', hashOf(workspace))
  return {
    isTrusted: (workspace, content) => readTrusted(readOrNothing(path))[workspace] === hashOf(content),
    find(workspace) {
      const content = readOrNothing(textOf(workspace))
      const trusted = readTrusted(readOrNothing(path))
      return content !== undefined && trusted[workspace] === hashOf(content) ? content : undefined
    },
    record(workspace, content) {
      mkdirSync(join(home, 'trusted'), { recursive: true, mode: 0o700 })
      changeFile(path, (text) => {
        replaceFile(textOf(workspace), content)
        return `${JSON.stringify({ ...readTrusted(text), [workspace]: hashOf(content) }, null, 2)}\n`
      })
    },
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readText(path)
  } catch {
    return undefined
  }
}

/** Returns no trust when the text is missing or invalid. */
function readTrusted(text = ''): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    return isRecord(read) ? read : {}
  } catch {
    return {}
  }
}

function hashOf(content: string): string {
  return lazyCrypto().createHash('sha256').update(content).digest('hex')
}
