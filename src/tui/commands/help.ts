import { hangText } from '../../core/terminal/text-width.ts'
import type { Look } from '../look.ts'

const KEYS: readonly (readonly [keys: string, text: string])[] = [
  ['Enter', 'send; while a run goes on, the message joins it'],
  ['Alt-Enter, Ctrl-J, \\ Enter', 'new line'],
  ['Up, Down', 'earlier messages'],
  ['Ctrl-R', 'search the earlier messages'],
  ['@', 'attach a file; Tab completes its name'],
  ['!', 'run a command line through the rules'],
  ['Ctrl-G', 'write in $EDITOR'],
  ['Ctrl-O', 'show all output of the last call'],
  ['Ctrl-T', 'show all of the model’s last thoughts'],
  ['Esc', 'close what is open, then stop the run; at an approval: no'],
  ['Ctrl-C', 'stop the run; twice: leave'],
  ['Ctrl-D', 'leave'],
  ['Ctrl-Z', 'suspend; resume with fg'],
]

/** Returns the help: commands, then keys. */
export function helpRows(
  commands: readonly { readonly name: string; readonly help: string }[],
  { paint, columns }: Look,
): string[] {
  const rows = [...commands.map(({ name, help }) => [`/${name}`, help] as const), ['', ''] as const, ...KEYS]
  const wide = columns < 60 ? 13 : 28
  return [
    '',
    ...rows.flatMap(([left, right]) =>
      left.length > wide - 1
        ? [`  ${paint('bold', left)}`, ...hangText(' '.repeat(wide + 2), paint('dim', right), columns - 1)]
        : hangText(`  ${paint('bold', left)}${' '.repeat(wide - left.length)}`, paint('dim', right), columns - 1),
    ),
  ]
}
