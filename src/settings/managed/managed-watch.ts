import { closeSync, type FSWatcher, openSync, unwatchFile, watch, watchFile } from 'node:fs'
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
    touches.begin()
    try {
      const read = readSettingsNow(path)
      if (read.source === file.source) return
      file = read
      onChange()
    } catch (thrown) {
      process.emitWarning(`${messageOf(thrown)}. What was read before still counts.`, 'HaftSettingsWarning')
    }
  }
  const touches = new TouchWatch(home, refresh)
  // Reads what changed before the watch began.
  refresh()
  return { current: () => file, refresh, close: () => touches.close() }
}

/** Calls the listener after each change. Never keeps the process alive, and never makes the folder: until it is there, and where watching fails, the file is looked at twice a second. */
class TouchWatch {
  readonly #home: string
  readonly #listener: () => void
  #watcher: FSWatcher | undefined
  #isLooking = false

  constructor(home: string, listener: () => void) {
    this.#home = home
    this.#listener = listener
  }

  /** Begins to watch, unless it does already. */
  begin(): void {
    if (this.#watcher) return
    try {
      closeSync(openSync(managedLock(this.#home), 'a', 0o600))
      this.#watcher = watch(managedLock(this.#home), { persistent: false }, this.#listener)
      this.#watcher.on('error', () => this.#watcher?.close())
      this.#stopLooking()
    } catch {
      this.#look()
    }
  }

  close(): void {
    this.#watcher?.close()
    this.#stopLooking()
  }

  #look(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    watchFile(managedPath(this.#home), { interval: LOOK_EVERY, persistent: false }, this.#listener)
  }

  #stopLooking(): void {
    if (this.#isLooking) unwatchFile(managedPath(this.#home), this.#listener)
    this.#isLooking = false
  }
}
