import { join } from 'node:path'
import { isRecord } from '../../core/text/json.ts'
import { changeFile, readText } from '../kept-file.ts'

/** The keys of models that the person has stored, by the name of the model. In a file that only its owner can read, apart from every setting, so that settings can be shown and shared. */
export interface ModelKeys {
  get(model: string): string | undefined
  set(model: string, key: string): void
  remove(model: string): void
}

/** Opens the keys kept in Haft's home; without a home none is kept. */
export function openModelKeys(home: string | undefined): ModelKeys {
  if (home === undefined) return { get: () => undefined, set: () => undefined, remove: () => undefined }
  const path = join(home, 'model-keys.json')
  const write = (change: (keys: Record<string, unknown>) => Record<string, unknown>): void =>
    changeFile(path, () => `${JSON.stringify(change(readKeys(path)), undefined, 2)}\n`)
  return {
    get(model) {
      const keys = readKeys(path)
      const key = Object.hasOwn(keys, model) ? keys[model] : undefined
      return typeof key === 'string' ? key : undefined
    },
    set: (model, key) => write((keys) => ({ ...keys, [model]: key })),
    remove(model) {
      if (!Object.hasOwn(readKeys(path), model)) return
      write((keys) => Object.fromEntries(Object.entries(keys).filter(([name]) => name !== model)))
    },
  }
}

/** No keys where the file is missing; a broken one throws, since replacing it would lose what it holds. */
function readKeys(path: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readText(path) ?? '{}')
    return isRecord(parsed) ? parsed : {}
  } catch {
    throw new Error(
      `${path} holds the keys of your models and cannot be read. Repair it, or delete it and add them again.`,
    )
  }
}
