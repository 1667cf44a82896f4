import { closeSync, mkdirSync, openSync, unwatchFile, watch, watchFile } from 'node:fs'
import { messageOf } from '../../core/call/result.ts'
import { readSettings, readSettingsNow, type SettingsFile } from '../read-settings.ts'
import { managedPath } from './managed-file.ts'
import { managedLock } from './managed-lock.ts'

/** How often the file is looked at where it cannot be watched, in milliseconds. */
const LOOK_EVERY = 500

/** Haft's own settings file, as any process on this home has left it. */
export interface ManagedFile {
  current(): SettingsFile
  /** Reads the file again now. */
  refresh(): void
  close(): void
}

/**
 * Opens Haft's own settings file and follows what other processes change in it. Calls the listener after each change.
 * Rejects with SettingsError if the file is wrong now; a later mistake in it is a warning, and what was read before stays.
 * The touched file is watched, not its folder: the log lies there too, and each of its commits would wake every process.
 */
export async function openManagedFile(home: string, onChange: () => void): Promise<ManagedFile> {
  const path = managedPath(home)
  let file = await readSettings(path)
  const refresh = (): void => {
    try {
      const read = readSettingsNow(path)
      if (read.source === file.source) return
      file = read
      onChange()
    } catch (thrown) {
      process.emitWarning(`${messageOf(thrown)}. What was read before still counts.`, 'HaftSettingsWarning')
    }
  }
  const stop = watchTouches(home, refresh)
  // What changed between reading and watching.
  refresh()
  return { current: () => file, refresh, close: stop }
}

/** Calls the listener after each change until the returned function is called. Never keeps the process alive. */
function watchTouches(home: string, listener: () => void): () => void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    closeSync(openSync(managedLock(home), 'a', 0o600))
    const watcher = watch(managedLock(home), { persistent: false }, listener)
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    const path = managedPath(home)
    watchFile(path, { interval: LOOK_EVERY, persistent: false }, listener)
    return () => unwatchFile(path, listener)
  }
}
