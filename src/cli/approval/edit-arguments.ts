import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckArguments } from '../../core/approval/approval.ts'
import { messageOf } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import { askLine } from '../terminal/ask-line.ts'
import { paintError } from '../terminal/front-end.ts'

/** What is changed, and who says whether it would do. */
export interface EditWish {
  readonly arguments: unknown
  readonly signal: AbortSignal
  readonly check: CheckArguments
}

/** Lets the person change arguments as JSON, in $VISUAL or $EDITOR where set, else in a line; again until they would do. Undefined when they go back. */
export async function editArguments(wish: EditWish): Promise<{ readonly value: unknown } | undefined> {
  const editor = process.env.VISUAL || process.env.EDITOR
  let draft = JSON.stringify(wish.arguments, null, editor ? 2 : 0)
  for (;;) {
    const given = editor
      ? await editInEditor(editor, draft, wish.signal)
      : await askLine({ text: 'arguments › ', draft, signal: wish.signal })
    if (given === undefined || given.trim() === '') return undefined
    draft = given
    const read = readObject(given)
    const problem = 'problem' in read ? read.problem : await wish.check(read.value)
    if (problem === undefined && 'value' in read) return read
    process.stderr.write(
      `${paintError('red', problem ?? '')}${editor ? '' : paintError('dim', ' (an empty line goes back)')}\n`,
    )
    if (editor && !(await wantsAgain(wish.signal))) return undefined
  }
}

async function wantsAgain(signal: AbortSignal): Promise<boolean> {
  const answer = await askLine({ text: `${paintError('bold', '[e]dit again')}, or Enter to go back › `, signal })
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

/** The text after the editor has ended; undefined when it failed, which is said, or is no longer wanted. The file is the person's alone, and gone after. */
async function editInEditor(editor: string, text: string, signal: AbortSignal): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-edit-'))
  const file = join(folder, 'arguments.json')
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 })
    const trouble = await runEditor(editor, file, signal)
    if (trouble === undefined) return readFileSync(file, 'utf8')
    if (!signal.aborted) process.stderr.write(`${paintError('red', `${editor}: ${trouble}; nothing was changed`)}\n`)
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resolves to what went wrong. $EDITOR may hold options, as `code --wait` does: the shell splits it, the file is handed over as it is. */
function runEditor(editor: string, file: string, signal: AbortSignal): Promise<string | undefined> {
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', signal })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)))
    child.once('close', (code, ending) =>
      resolve(code === 0 ? undefined : `it ended with ${ending ?? `exit code ${code}`}`),
    )
  })
}
