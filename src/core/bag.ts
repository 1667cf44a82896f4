/** A member knows where it lies. */
export interface BagMember {
  /** Its place in the bag; -1 while it is in none. To be changed by the bag alone. */
  slot: number
}

/** Things that come and go by the thousand, in no order: unlike a Set it makes no new table now and then. */
export class Bag<Member extends BagMember> {
  readonly #members: Member[] = []

  get size(): number {
    return this.#members.length
  }

  /** Puts one in that is in no bag. */
  add(member: Member): void {
    member.slot = this.#members.push(member) - 1
  }

  /** Takes one out; nothing where it is not in. */
  remove(member: Member): void {
    const { slot } = member
    if (slot === -1) return
    const last = this.#members.pop()
    if (last === undefined) return
    if (last !== member) {
      this.#members[slot] = last
      last.slot = slot
    }
    member.slot = -1
  }

  /** All of them at this moment, in a list of their own. */
  list(): readonly Member[] {
    return [...this.#members]
  }
}
