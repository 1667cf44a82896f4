import { execFile } from 'node:child_process'
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Where an interpreter is looked for. */
export interface InterpreterPlace {
  /** What settings name: a program, or the folder of a virtual environment. */
  readonly python?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where a version manager is asked; a project must not choose what runs the user's own tools. */
  readonly home: string
}

/** Finds the interpreter itself: a script on PATH that starts it, as version managers have, is asked once what it starts, since going through it takes ten times as long. Rejects where there is none. */
export async function findInterpreter({ python, env, home }: InterpreterPlace): Promise<string> {
  const found = python === undefined ? findOnPath(env.PATH ?? '') : findNamed(python)
  if (!isScript(found)) return found
  const asked = answers.get(found) ?? askScript(found, { env, home })
  answers.set(found, asked)
  asked.catch(() => answers.delete(found))
  return asked
}

/** What each script starts. */
const answers = new Map<string, Promise<string>>()

function findOnPath(path: string): string {
  const folders = path.split(':').filter((folder) => folder.startsWith('/'))
  const found = folders.map((folder) => join(folder, 'python3')).find(isProgram)
  if (found === undefined)
    throw new Error(
      'Python tools need python3 (3.9 or newer), and there is none on PATH. Install it, or name one in settings: python = "/path/to/python3"',
    )
  return found
}

function findNamed(python: string): string {
  const isFolder = statSync(python, { throwIfNoEntry: false })?.isDirectory() ?? false
  const program = isFolder ? ['python3', 'python'].map((name) => join(python, 'bin', name)).find(existsSync) : python
  if (program !== undefined && isProgram(program)) return program
  throw new Error(`settings name ${python} as python, and that is neither a program nor a virtual environment`)
}

function isProgram(path: string): boolean {
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

function askScript(script: string, { env, home }: Pick<InterpreterPlace, 'env' | 'home'>): Promise<string> {
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
