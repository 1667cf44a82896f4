import { readFileSync } from 'node:fs'
import { messageOf, reasonOf } from '../core/call/result.ts'
import { isRecord } from '../core/text/json.ts'
import type { Problem } from './check-value.ts'
import { requireToml } from './require-toml.ts'
import { checkSettings, type GivenSettings } from './settings.ts'

/** An invalid settings file; the message names file, line, column and key of each problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** A settings file. */
export interface SettingsFile {
  readonly path: string
  /** The text; undefined when there is no file, or a program gives some of the settings. */
  readonly source: string | undefined
  readonly given: Partial<GivenSettings>
}

/** Reads a settings file; a missing file sets nothing. Throws SettingsError. */
export async function readSettings(path: string): Promise<SettingsFile> {
  const source = readSource(path)
  if (source === undefined) return { path, source, given: {} }
  const problems: Problem[] = []
  const given = checkSettings(await parseToml(source, path), [], (problem) => problems.push(problem)) ?? {}
  const file = { path, source, given }
  if (problems.length > 0) throw await settingsError(file, problems)
  return file
}

/** Checks settings that a program gives, with the keys of settings.toml. Throws SettingsError. */
export function readGivenSettings(value: unknown): SettingsFile {
  const path = 'the settings of the program'
  const problems: Problem[] = []
  const given = checkSettings(value, [], (problem) => problems.push(problem)) ?? {}
  if (problems.length === 0) return { path, source: undefined, given }
  throw new SettingsError(problems.map((problem) => `${path}: ${keyOf(problem)}: ${problem.message}`).join('\n'))
}

/** Reads a settings file at once. Throws SettingsError, which names keys without their places in the file. */
export function readSettingsNow(path: string): SettingsFile {
  const source = readSource(path)
  if (source === undefined) return { path, source, given: {} }
  const problems: Problem[] = []
  const given = checkSettings(parseNow(source, path), [], (problem) => problems.push(problem)) ?? {}
  if (problems.length === 0) return { path, source, given }
  throw new SettingsError(problems.map((problem) => `${path}: ${keyOf(problem)}: ${problem.message}`).join('\n'))
}

function parseNow(source: string, path: string): unknown {
  try {
    return requireToml().parse(source)
  } catch (thrown) {
    throw new SettingsError(`${path} cannot be read: ${messageOf(thrown).split('\n')[0]}`)
  }
}

/** Formats the problems of a settings file, each with line and column where there is a file. */
export async function settingsError(
  { path, source }: SettingsFile,
  problems: readonly Problem[],
): Promise<SettingsError> {
  const { locateKey } = await import('./locate-key.ts')
  const lines = problems.map((problem) => {
    if (source === undefined) return `${path}: ${keyOf(problem)}: ${problem.message}`
    const { line, column } = locateKey(source, problem.path)
    return `${path}:${line}:${column}: ${keyOf(problem)}: ${problem.message}`
  })
  return new SettingsError(lines.join('\n'))
}

function readSource(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR'))
      return undefined
    throw new SettingsError(`${path}: cannot be read: ${reasonOf(thrown)}`)
  }
}

async function parseToml(source: string, path: string): Promise<unknown> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    const parsed: unknown = parse(source)
    return isRecord(parsed) ? parsed : {}
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown
    const [what = thrown.message] = thrown.message.split('\n')
    throw new SettingsError(`${path}:${thrown.line}:${thrown.column}: ${what}`)
  }
}

/** `log.secrets[1]` */
function keyOf({ path }: Problem): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}
