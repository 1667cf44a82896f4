import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../core/call/result.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'

interface EditedFile {
  readonly programs: Programs
  readonly text: string
  /** The name of the file that the editor opens. */
  readonly name: string
  readonly signal?: AbortSignal
}

/** Opens a text in an editor. Resolves to what it holds once the editor has exited, or to what went wrong. The temporary file is readable by its owner only and is removed. */
export async function editInEditor(
  editor: string,
  { programs, text, name, signal }: EditedFile,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-edit-'))
  const file = join(folder, name)
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 })
    const problem = await runEditor({ editor, file, programs, ...(signal && { signal }) })
    if (problem === undefined) return { text: readFileSync(file, 'utf8') }
    return { problem: `${editor}: ${problem}; nothing was changed` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface EditorRun extends Pick<EditedFile, 'programs' | 'signal'> {
  readonly editor: string
  readonly file: string
}

/** Returns the program of a command such as `$EDITOR`, which may be quoted, and its options. */
export function readEditor(command: string): { readonly program: string; readonly options: readonly string[] } {
  const [all = '', single, double, word = ''] = /^\s*(?:'([^']*)'|"([^"]*)"|(\S+))/.exec(command) ?? []
  const options = command.slice(all.length).split(/\s+/).filter(Boolean)
  return { program: single ?? double ?? word, options }
}

/** Runs the editor; resolves to the problem, or undefined if there was none. $EDITOR may hold options (`code --wait`), so the shell splits it; the file name is passed unchanged. */
async function runEditor({ editor, file, signal, programs }: EditorRun): Promise<string | undefined> {
  try {
    programs.chosen(readEditor(editor).program)
  } catch (thrown) {
    return messageOf(thrown)
  }
  const options = { stdio: 'inherit', cwd: '/', env: programs.env(), ...(signal && { signal }) } as const
  const child = spawn(programs.system('sh'), ['-c', `${editor} "$1"`, 'sh', file], options)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)))
    child.once('close', (code, ending) => resolve(code === 0 ? undefined : `exited with ${ending ?? `code ${code}`}`))
  })
}
