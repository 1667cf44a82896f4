import { execFile } from 'node:child_process'
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The interpreter for the user's own tools. */
export interface NamedInterpreter {
  /** The full path of a program, or the folder of a virtual environment. */
  readonly python: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where a version manager is asked; a project must not choose what runs the user's own tools. */
  readonly home: string
}

/** Finds the interpreter itself: a script that starts it, and a shim of a version manager, are asked once what they start, since going through them takes ten times as long. Rejects where there is none. */
export async function findInterpreter({ python, env, home }: NamedInterpreter): Promise<string> {
  const found = findProgram(python)
  if (!isScript(found) && basename(dirname(found)) !== 'shims') return found
  const asked = answers.get(found) ?? askScript(found, { env, home })
  answers.set(found, asked)
  asked.catch(() => answers.delete(found))
  return asked
}

/** What each script starts. */
const answers = new Map<string, Promise<string>>()

function findProgram(python: string): string {
  const isFolder = statSync(python, { throwIfNoEntry: false })?.isDirectory() ?? false
  const program = isFolder ? ['python3', 'python'].map((name) => join(python, 'bin', name)).find(existsSync) : python
  if (program !== undefined && isProgram(program)) return program
  throw new Error(`settings name ${python} as python, and that is neither a program nor a virtual environment`)
}

/** True for a file that may be executed. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isScript(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(2)
    readSync(file, start, 0, 2, 0)
    return start.toString('latin1') === '#!'
  } finally {
    closeSync(file)
  }
}

function askScript(script: string, { env, home }: Pick<NamedInterpreter, 'env' | 'home'>): Promise<string> {
  const cwd = existsSync(home) ? home : '/'
  const options = { env: { ...env, PWD: cwd }, cwd, timeout: 30_000 }
  return new Promise((resolve, reject) => {
    execFile(script, ['-c', 'import sys; print(sys.executable)'], options, (error, stdout, stderr) => {
      const path = stdout.trim()
      if (error === null && isProgram(path)) resolve(path)
      else
        reject(
          new Error(
            `${script} does not start Python: ${(stderr.trim() || String(error?.message ?? path)).slice(0, 500)}`,
          ),
        )
    })
  })
}
