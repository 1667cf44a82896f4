import { readFileSync } from 'node:fs'
import { isRecord } from '../core/json.ts'
import { messageOf } from '../core/result.ts'
import type { Problem } from './check-value.ts'
import { checkSettings, type GivenSettings } from './settings.ts'

/** A settings file that is wrong; the message names file, line, column and key of everything that is. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Reads a settings file; an absent one settles nothing. Throws SettingsError. */
export async function readSettings(path: string): Promise<Partial<GivenSettings>> {
  const source = readSource(path)
  if (source === undefined) return {}
  const problems: Problem[] = []
  const given = checkSettings(await parseToml(source, path), [], (problem) => problems.push(problem))
  if (problems.length > 0) {
    const { locateKey } = await import('./locate-key.ts')
    const lines = problems.map((problem) => {
      const { line, column } = locateKey(source, problem.path)
      return `${path}:${line}:${column}: ${keyOf(problem)}: ${problem.message}`
    })
    throw new SettingsError(lines.join('\n'))
  }
  return given ?? {}
}

function readSource(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR'))
      return undefined
    throw new SettingsError(`${path}: cannot be read: ${messageOf(thrown)}`)
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
