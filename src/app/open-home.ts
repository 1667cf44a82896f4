import type { Home } from './home.ts'
import type { HomeOptions } from './home-options.ts'

/** Opens a home. Rejects if its settings are invalid. What a home is made of is loaded here, so that importing the package stays cheap (gate 2e). */
export async function openHome(options: HomeOptions = {}): Promise<Home> {
  const home = await import('./home.ts')
  return home.openHome(options)
}
