import type { CheckArguments } from '../../core/approval/approval.ts'
import { messageOf } from '../../core/call/result.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'
import { isRecord, isSameJson } from '../../core/text/json.ts'
import { askLine } from '../terminal/ask-line.ts'
import { editInEditor } from '../terminal/edit-in-editor.ts'
import { paintError } from '../terminal/front-end.ts'

/** The arguments to edit, and the check that the edited ones must pass. */
export interface EditRequest {
  readonly arguments: unknown
  readonly signal: AbortSignal
  readonly check: CheckArguments
  readonly programs: Programs
}

/** Lets the person edit arguments as JSON, in $VISUAL or $EDITOR if set, else on one line, until the check passes. Resolves to undefined when they go back or change nothing. */
export async function editArguments(edit: EditRequest): Promise<{ readonly value: unknown } | undefined> {
  const editor = process.env.VISUAL || process.env.EDITOR
  let draft = JSON.stringify(edit.arguments, null, editor ? 2 : 0)
  for (;;) {
    const given = editor
      ? await editHere(editor, draft, edit)
      : await askLine({ text: 'arguments › ', draft, signal: edit.signal })
    if (given === undefined || given.trim() === '') return undefined
    draft = given
    const read = readObject(given)
    if ('value' in read && isSameJson(read.value, edit.arguments)) {
      process.stderr.write(`${paintError('yellow', 'Nothing was changed.')}\n`)
      return undefined
    }
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

/** Resolves to the text after the editor has exited; undefined if it failed, which is printed, or the signal was aborted. */
async function editHere(editor: string, draft: string, { programs, signal }: EditRequest): Promise<string | undefined> {
  const edited = await editInEditor(editor, { programs, text: draft, name: 'arguments.json', signal })
  if ('text' in edited) return edited.text
  if (!signal.aborted) process.stderr.write(`${paintError('red', edited.problem)}\n`)
  return undefined
}
