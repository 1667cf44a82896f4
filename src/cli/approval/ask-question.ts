import type { InputQuestion } from '../../core/input/input.ts'
import { wrapWords } from '../../core/terminal/text-width.ts'
import { printable } from '../../core/text/printable.ts'
import { askAfterPause } from '../terminal/ask-line.ts'
import { columnsOf, paintError } from '../terminal/front-end.ts'

/** Asks a question of the model in this terminal, on stderr. A number chooses one of the options. Rejects if the person gives no answer. */
export async function askQuestion({ question, options = [] }: InputQuestion, signal: AbortSignal): Promise<string> {
  const lines = [printable(question), ...options.map((option, index) => `  ${index + 1}. ${printable(option)}`)]
  const columns = columnsOf(process.stderr)
  process.stderr.write(
    `${paintError('bold', '?')} ${lines.flatMap((line) => wrapWords(line, columns - 2)).join('\n  ')}\n`,
  )
  const answer = (await askAfterPause({ text: '› ', signal }))?.trim()
  if (!answer) throw new Error('nobody answered')
  return options[Number(answer) - 1] ?? answer
}
