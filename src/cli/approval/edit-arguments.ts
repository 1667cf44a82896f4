import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckArguments } from '../../core/approval/approval.ts'
import { messageOf } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import { askLine } from '../terminal/ask-line.ts'
import { paintError } from '../terminal/front-end.ts'

/** The arguments to edit, and the check that the edited ones must pass. */
export interface EditRequest {
  readonly arguments: unknown
  readonly signal: AbortSignal
  readonly check: CheckArguments
}

/** Lets the person edit arguments as JSON, in $VISUAL or $EDITOR if set, else on one line, until the check passes. Resolves to undefined when they go back. */
export async function editArguments(edit: EditRequest): Promise<{ readonly value: unknown } | undefined> {
  const editor = process.env.VISUAL || process.env.EDITOR
  let draft = JSON.stringify(edit.arguments, null, editor ? 2 : 0)
  for (;;) {
    const given = editor
      ? await editInEditor(editor, draft, edit.signal)
      : await askLine({ text: 'arguments › ', draft, signal: edit.signal })
    if (given === undefined || given.trim() === '') return undefined
    draft = given
    const read = readObject(given)
    const problem = 'problem' in read ? read.problem : await edit.check(read.value)
    if (problem === undefined && 'value' in read) return read
    process.stderr.write(
      `${paintError('red', problem ?? '')}${editor ? '' : paintError('dim', ' (an empty line: back)')}\n`,
    )
    if (editor && !(await wantsAgain(edit.signal))) return undefined
  }
}

async function wantsAgain(signal: AbortSignal): Promise<boolean> {
  const answer = await askLine({ text: `${paintError('bold', '[e]dit again')} (Enter: back) › `, signal })
  return /^e(dit)?$/i.test(answer?.trim() ?? '')
}

function readObject(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { value } : { problem: 'expected a JSON object' }
  } catch (thrown) {
    return { problem: messageOf(thrown) }
  }
}

/** Resolves to the text after the editor has exited; undefined if the editor failed (which is reported) or the signal was aborted. The temporary file is readable by its owner only and is removed. */
async function editInEditor(editor: string, text: string, signal: AbortSignal): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-edit-'))
  const file = join(folder, 'arguments.json')
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 })
    const problem = await runEditor(editor, file, signal)
    if (problem === undefined) return readFileSync(file, 'utf8')
    if (!signal.aborted) process.stderr.write(`${paintError('red', `${editor}: ${problem}; nothing was changed`)}\n`)
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the editor; resolves to the problem, or undefined if there was none. $EDITOR may hold options (`code --wait`), so the shell splits it; the file name is passed unchanged. */
function runEditor(editor: string, file: string, signal: AbortSignal): Promise<string | undefined> {
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', signal })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)))
    child.once('close', (code, ending) => resolve(code === 0 ? undefined : `exited with ${ending ?? `code ${code}`}`))
  })
}
