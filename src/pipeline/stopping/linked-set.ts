/** What an object needs to be in a linked set. Only the set changes it. */
export interface Linked<Item> {
  isLinked: boolean
  before: Item | undefined
  after: Item | undefined
}

/** A set of objects that are in no other linked set. A `Set` computes a hash for each new object, which made a twelfth of the time of a call (gate 1b). */
export class LinkedSet<Item extends Linked<Item>> {
  #last: Item | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  add(item: Item): void {
    if (item.isLinked) return
    item.isLinked = true
    item.before = this.#last
    if (this.#last) this.#last.after = item
    this.#last = item
    this.#size++
  }

  /** Removes an item; true if it was there. */
  delete(item: Item): boolean {
    if (!item.isLinked) return false
    const { before, after } = item
    if (before) before.after = after
    if (after) after.before = before
    else this.#last = before
    item.isLinked = false
    item.before = undefined
    item.after = undefined
    this.#size--
    return true
  }

  /** Returns the items in the order they were added. */
  list(): Item[] {
    const items: Item[] = []
    for (let item = this.#last; item; item = item.before) items.push(item)
    return items.reverse()
  }
}
