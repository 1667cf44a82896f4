import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isProgram } from './shims/versions.ts'
import type { Toolchains } from './toolchains.ts'

/** The names that start Python in every sandbox; plain Debian and macOS have only `python3`. */
export const PYTHON_NAMES: readonly string[] = ['python3', 'python']

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment with a folder at the end of PATH for the names of Python that PATH lacks. Creates the folder if needed. */
export function offerMissingPython(env: Environment, { python }: Toolchains, folder: string): Environment {
  const path = env.PATH ?? ''
  const folders = path.split(':').filter((entry) => entry !== '')
  const missing = PYTHON_NAMES.filter((name) => !folders.some((entry) => isProgram(join(entry, name))))
  if (python === undefined || missing.length === 0) return env
  mkdirSync(folder)
  for (const name of missing) symlinkSync(python, join(folder, name))
  return { ...env, PATH: path === '' ? folder : `${path}:${folder}` }
}
