import { openManagedFile } from '../../settings/managed/managed-watch.ts'
import type { SettingsFile } from '../../settings/read-settings.ts'
import { layerSettings, type Settings } from '../../settings/settings.ts'

/** The settings that count now. What commands and pages add, in whatever process, counts at once; settings.toml as it was at the start. */
export interface LiveSettings {
  now(): Settings
  /** What commands and pages have added; undefined without a home. */
  added(): SettingsFile | undefined
  /** Reads again what was added. To be called after this process has added something. */
  refresh(): void
  /** Calls the listener after each change. Returns a function that stops this. */
  on(listener: () => void): () => void
  close(): void
}

/** Opens the settings of a home. Rejects with SettingsError if Haft's own settings file is wrong. */
export async function openLiveSettings(
  home: string | undefined,
  user: SettingsFile | undefined,
): Promise<LiveSettings> {
  const listeners = new Set<() => void>()
  const layer = (added: SettingsFile | undefined) => layerSettings(added?.given ?? {}, user?.given ?? {})
  let settings: Settings | undefined
  const file =
    home === undefined
      ? undefined
      : await openManagedFile(home, () => {
          settings = undefined
          for (const listener of listeners) listener()
        })
  return {
    now() {
      settings ??= layer(file?.current())
      return settings
    },
    added: () => file?.current(),
    refresh: () => file?.refresh(),
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => file?.close(),
  }
}
