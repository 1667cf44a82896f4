import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { lockOf } from '../kept-file.ts'

/** The file that is locked by whoever changes managed.toml, and touched after it. */
export function managedLock(home: string): string {
  return lockOf(join(home, 'managed.toml'))
}

/** Tells every process that managed.toml has changed. */
export function touchManaged(home: string): void {
  const now = new Date()
  utimesSync(managedLock(home), now, now)
}
