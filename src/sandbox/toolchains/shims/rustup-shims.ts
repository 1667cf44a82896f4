import { join } from 'node:path'
import {
  type Entry,
  isFolder,
  isVersionName,
  listFolder,
  readNearest,
  readText,
  type VersionContext,
} from './versions.ts'

/** Resolves rustup: `toolchains/NAME/bin` of the selected toolchain. The caller adds rustup's own programs. */
export function resolveRustupShims(context: VersionContext): Entry[] {
  const home = context.env.RUSTUP_HOME ?? join(context.env.HOME ?? '/nonexistent', '.rustup')
  const toolchains = join(home, 'toolchains')
  const wanted = chosenToolchain(home, context)
  if (wanted === undefined || !isVersionName(wanted)) return []
  const installed = listFolder(toolchains)
  const name = installed.find((one) => one === wanted) ?? installed.find((one) => one.startsWith(`${wanted}-`))
  const folder = name === undefined ? undefined : join(toolchains, name)
  return folder !== undefined && isFolder(join(folder, 'bin')) ? [{ programs: join(folder, 'bin'), folder }] : []
}

function chosenToolchain(home: string, context: VersionContext): string | undefined {
  if (context.env.RUSTUP_TOOLCHAIN) return context.env.RUSTUP_TOOLCHAIN
  const file = readNearest(['rust-toolchain', 'rust-toolchain.toml'], context)
  if (file !== undefined) return file.includes('[') ? stringOf('channel', file) : file.trim()
  return stringOf('default_toolchain', readText(join(home, 'settings.toml')) ?? '')
}

function stringOf(key: string, text: string): string | undefined {
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"'\\n]*)["']`, 'm').exec(text)?.[1]
}
