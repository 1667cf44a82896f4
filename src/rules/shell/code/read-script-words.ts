import { noteSource } from '../run/run-text.ts'
import type { Output, ShellState } from '../shell-state.ts'
import { readCode } from './read-code.ts'

interface ScriptWords {
  /** The interpreter's name, or `program` where only the script knows it. */
  readonly language: string
  /** The words after the script's own name. */
  readonly words: readonly string[]
  readonly input: Output
}

/** Options that take code, as the shells of frameworks name them. */
const CODE_OPTION = /^(-[cex]|--(command|code|eval|exec|execute|expression|run|script))$/
/** The same with the code attached, and a task that is one word with its code. */
const ATTACHED_CODE = /^(?:--(?:command|code|eval|exec|execute|expression|run|script)=|eval )(.*)$/s
/** Subcommands that run the code beside them, or the code they are fed. */
const CODE_COMMAND = /^(shell(_plus)?|console|tinker|psysh|repl|runner|[cr]|eval|ev|php[-:]eval|iex|irb|pry)$/
/** Plain values, names and sentences have none of these. */
const LOOKS_LIKE_CODE = /[(;`]|^\s*(import|from|require|use)\s/

/** Reads the code among the words of a script: a framework's own shell takes it as a value, after a subcommand, or as input. */
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
