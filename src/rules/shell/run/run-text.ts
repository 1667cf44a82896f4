import { isConstant, MARKS, showText } from '../marks.ts'
import { act, NO_OUTPUT, type Output, type ShellState } from '../shell-state.ts'

/** Reads text that a shell would run. Text from the network and obfuscated text is recorded as such. */
export function runText(state: ShellState, text: string, input: Output): Output {
  noteSource(state, text)
  return state.parts.readText(state, text, input)
}

/** Pagers, editors and compilers that people commonly configure; any other program needs approval. */
const CHOSEN_PROGRAM =
  /^(\/(usr\/)?bin\/)?(cat|less|more|most|true|false|:|vi|vim|nvim|nano|emacs|ed|code|micro|delta|bat|diff-so-fancy|head|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ccache|sccache|mold|lld|ld|ar|rustc|ssh|sh|bash|zsh|meld|firefox|open|xdg-open)(-\d+)?( -{1,2}[\w=-]+)*$/

/** Reads a program that a variable or setting configures. */
export function runChosen(state: ShellState, text: string, setting: string): void {
  if (!CHOSEN_PROGRAM.test(text.trim())) act(state, 'injects-own', setting)
  runText(state, text, NO_OUTPUT)
}

/** Records where code comes from when it is not fully in the command line. */
export function noteSource(state: ShellState, text: string): void {
  if (isConstant(text)) return
  const shown = showText(text).slice(0, 200)
  if (text.includes(MARKS.network)) act(state, 'download-run', shown)
  else if (text.includes(MARKS.hidden)) act(state, 'hidden', shown)
  else act(state, 'unknown', shown)
}
