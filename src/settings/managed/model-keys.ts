import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../core/text/json.ts'
import { withLock } from '../with-lock.ts'

/** The keys of models that the person has stored, by the name of the model. In a file that only its owner can read, apart from every setting, so that settings can be shown and shared. */
export interface ModelKeys {
  get(model: string): string | undefined
  set(model: string, key: string): void
}

/** Opens the keys kept in Haft's home; without a home none is kept. */
export function openModelKeys(home: string | undefined): ModelKeys {
  if (home === undefined) return { get: () => undefined, set: () => undefined }
  const path = join(home, 'model-keys.json')
  return {
    get(model) {
      const keys = readKeys(path)
      const key = Object.hasOwn(keys, model) ? keys[model] : undefined
      return typeof key === 'string' ? key : undefined
    },
    set(model, key) {
      mkdirSync(home, { recursive: true, mode: 0o700 })
      withLock(join(home, 'managed.lock'), () => {
        writeFileSync(`${path}.new`, `${JSON.stringify({ ...readKeys(path), [model]: key }, undefined, 2)}\n`, {
          mode: 0o600,
        })
        renameSync(`${path}.new`, path)
      })
    },
  }
}

/** No keys where the file is missing; a broken one throws, since replacing it would lose what it holds. */
function readKeys(path: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(parsed) ? parsed : {}
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return {}
    throw new Error(
      `${path} holds the keys of your models and cannot be read. Repair it, or delete it and add them again.`,
    )
  }
}
