/** A map that most command lines leave empty: it takes up nothing until something is put in. */
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

  /** All of them at this moment, in the order they were put in. */
  entries(): readonly [Key, Value][] {
    return this.#map === undefined ? [] : [...this.#map]
  }
}
