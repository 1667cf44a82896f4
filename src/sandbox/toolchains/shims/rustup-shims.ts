import { join } from 'node:path'
import { type Choosing, type Entry, isFolder, isVersionName, listFolder, readNearest, readText } from './versions.ts'

/** rustup: `toolchains/NAME/bin` of the toolchain that is chosen. Its own programs beside the shims are offered by the caller. */
export function resolveRustupShims(choosing: Choosing): Entry[] {
  const home = choosing.env.RUSTUP_HOME ?? join(choosing.env.HOME ?? '/nonexistent', '.rustup')
  const toolchains = join(home, 'toolchains')
  const wanted = chosenToolchain(home, choosing)
  if (wanted === undefined || !isVersionName(wanted)) return []
  const installed = listFolder(toolchains)
  const name = installed.find((one) => one === wanted) ?? installed.find((one) => one.startsWith(`${wanted}-`))
  const folder = name === undefined ? undefined : join(toolchains, name)
  return folder !== undefined && isFolder(join(folder, 'bin')) ? [{ programs: join(folder, 'bin'), folder }] : []
}

function chosenToolchain(home: string, choosing: Choosing): string | undefined {
  if (choosing.env.RUSTUP_TOOLCHAIN) return choosing.env.RUSTUP_TOOLCHAIN
  const file = readNearest(['rust-toolchain', 'rust-toolchain.toml'], choosing)
  if (file !== undefined) return file.includes('[') ? stringOf('channel', file) : file.trim()
  return stringOf('default_toolchain', readText(join(home, 'settings.toml')) ?? '')
}

function stringOf(key: string, text: string): string | undefined {
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"'\\n]*)["']`, 'm').exec(text)?.[1]
}
