import { createRequire } from 'node:module'

/** The part of the TOML library that is used. */
export type Toml = Pick<typeof import('smol-toml'), 'parse' | 'stringify'>

/** Loads the TOML library at once, for what must not wait. */
export function requireToml(): Toml {
  return createRequire(import.meta.url)('smol-toml')
}
