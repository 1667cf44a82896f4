/** A map that uses no memory until the first entry; most command lines leave it empty. */
export class LazyMap<Key, Value> {
  #map: Map<Key, Value> | undefined

  get size(): number {
    return this.#map?.size ?? 0
  }

  get(key: Key): Value | undefined {
    return this.#map?.get(key)
  }

  has(key: Key): boolean {
    return this.#map?.has(key) ?? false
  }

  set(key: Key, value: Value): void {
    this.#map ??= new Map()
    this.#map.set(key, value)
  }

  clear(): void {
    this.#map?.clear()
  }

  /** Returns the current entries in insertion order. */
  entries(): readonly [Key, Value][] {
    return this.#map === undefined ? [] : [...this.#map]
  }
}
