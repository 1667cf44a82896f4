// To be imported before anything opens a database: counts what is asked of SQLite in this process.
import { DatabaseSync, StatementSync } from 'node:sqlite'

let count = 0

for (const [owner, names] of [
  [StatementSync.prototype, ['get', 'all', 'run', 'iterate']],
  [DatabaseSync.prototype, ['exec']],
] as const) {
  for (const name of names) {
    const original: unknown = Reflect.get(owner, name)
    if (typeof original !== 'function') throw new Error(`SQLite has no ${name}`)
    Reflect.set(owner, name, function counted(this: unknown, ...args: unknown[]) {
      count++
      return Reflect.apply(original, this, args)
    })
  }
}

/** How many statements were run so far. */
export function queryCount(): number {
  return count
}
