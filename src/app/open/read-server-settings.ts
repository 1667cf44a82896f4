import { join } from 'node:path'
import { publicUrl } from '../../settings/check-value.ts'
import { managedPath } from '../../settings/managed/managed-file.ts'
import { readSettings, SettingsError } from '../../settings/read-settings.ts'
import { layerSettings, type ServerSettings } from '../../settings/settings.ts'

/** Returns the settings of the server of a home before the home is opened, with what `haft serve` was given above them. Rejects with SettingsError where they are invalid. */
export async function readServerSettings(home: string, given: Partial<ServerSettings> = {}): Promise<ServerSettings> {
  const [managed, user] = [await readSettings(managedPath(home)), await readSettings(join(home, 'settings.toml'))]
  const origin =
    given.publicUrl === undefined
      ? undefined
      : publicUrl(given.publicUrl, ['--public-url'], ({ path, message }) => {
          throw new SettingsError(`${path}: ${message}`)
        })
  return layerSettings(managed.given, user.given, { server: { ...given, ...(origin && { publicUrl: origin }) } }).server
}
