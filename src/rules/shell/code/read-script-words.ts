import { noteSource } from '../run/run-text.ts'
import type { Output, ShellState } from '../shell-state.ts'
import { readCode } from './read-code.ts'

interface ScriptWords {
  /** The interpreter's name, or `program` when only the script determines it. */
  readonly language: string
  /** The words after the script's own name. */
  readonly words: readonly string[]
  readonly input: Output
}

/** Options of framework shells that take code. */
const CODE_OPTION = /^(-[cex]|--(command|code|eval|exec|execute|expression|run|script))$/
/** Options with the code attached, and tasks that include their code in one word. */
const ATTACHED_CODE = /^(?:--(?:command|code|eval|exec|execute|expression|run|script)=|eval )(.*)$/s
/** Subcommands that run code from their arguments or standard input. */
const CODE_COMMAND = /^(shell(_plus)?|console|tinker|psysh|repl|runner|[cr]|eval|ev|php[-:]eval|iex|irb|pry)$/
/** Characters that occur in code but not in plain values, names and sentences. */
const LOOKS_LIKE_CODE = /[(;`]|^\s*(import|from|require|use)\s/

/** Reads code in the arguments of a script: framework shells take it as an option value, after a subcommand, or as input. */
export function readScriptWords(state: ShellState, { language, words, input }: ScriptWords): undefined {
  words.forEach((word, index) => {
    const before = words[index - 1] ?? ''
    const code = ATTACHED_CODE.exec(word)?.[1] ?? word
    const takesCode = code !== word || CODE_OPTION.test(before) || CODE_COMMAND.test(before)
    if (takesCode && LOOKS_LIKE_CODE.test(code)) readCode(state, language, code)
  })
  if (input.text === '' || !words.some((word) => CODE_COMMAND.test(word))) return
  noteSource(state, input.text)
  readCode(state, language, input.text)
}
