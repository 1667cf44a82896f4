import { join } from 'node:path'
import { managedPath } from '../../settings/managed/managed-file.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { layerSettings } from '../../settings/settings.ts'

/** Returns the port of the settings of a home, before the home is opened. Rejects if its settings are invalid. */
export async function readPort(home: string): Promise<number> {
  const [managed, user] = [await readSettings(managedPath(home)), await readSettings(join(home, 'settings.toml'))]
  return layerSettings(managed.given, user.given).server.port
}
