import { isRecord } from '../core/text/json.ts'
import { readCache, writeCache } from './index-file.ts'

/** Changes whenever vectors are made in another way. */
const VERSION = 1

/** Reads the vectors that a model made; none if there are none, or they are broken or of another model. */
export function readVectors(path: string, model: string): Map<string, Int8Array> {
  const kept = readCache(path)
  if (!isRecord(kept) || kept.version !== VERSION || kept.model !== model || !(kept.vectors instanceof Map))
    return new Map()
  return new Map([...kept.vectors].filter(([key, vector]) => typeof key === 'string' && vector instanceof Int8Array))
}

/** Writes vectors, completely or not at all. */
export function writeVectors(path: string, model: string, vectors: ReadonlyMap<string, Int8Array>): void {
  writeCache(path, { version: VERSION, model, vectors })
}
