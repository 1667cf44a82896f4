import { nearest } from '../../core/text/nearest.ts'
import type { DemoCommand, DemoStep } from './command.ts'
import { COMMANDS } from './commands.ts'
import { nameSome, quote } from './say.ts'

const WHAT_I_AM =
  'I am `demo`: no language model, just a handful of commands. I make real tool calls, so you can see how Haft checks them, asks you, runs them and undoes them.'
const NEXT =
  'Say `help` for all commands. For free conversation choose a language model: `haft models` lists what this machine has.'

/** Says what the model is and how to begin. */
export function greet(): string {
  const first = 'Try `list`, then `write hello.txt with "Hello!"`, then `delete hello.txt`, which asks you first.'
  return `Hello! ${WHAT_I_AM}\n\n${first} ${NEXT}`
}

/** Lists all commands. */
export function help(): string {
  const rows = COMMANDS.map(({ does, example }) => `- \`${example}\` ${does}`)
  const chain =
    'Join commands with `then`: `write a.txt with "one" then read a.txt`. Put texts with spaces into quotes. A command without anything else, such as `edit`, shows all it can take.'
  return `${WHAT_I_AM}\n\n${rows.join('\n')}\n\n${chain}`
}

/** Says that a command was not understood, and how one like it is written. */
export function teachUnknown(text: string, command: DemoCommand | undefined): string {
  const first = /^\S+/.exec(text)?.[0] ?? ''
  const verbs = COMMANDS.flatMap(({ verbs: names }) => names)
  const [near] = nearest(first, verbs, (name) => name.toLowerCase())
  const meant = command ?? COMMANDS.find(({ verbs: names }) => near !== undefined && names.includes(near))
  const opening = `I did not understand ${quote(text)}, so I did nothing.`
  if (meant !== undefined) {
    const lead = command ? 'That command is written' : 'Did you mean'
    return `${opening} ${lead} \`${meant.form}\`${command ? '.' : '?'} Example: \`${meant.example}\`. ${NEXT}`
  }
  const examples = ['list', 'read', 'run'].map(
    (verb) => COMMANDS.find(({ verbs: names }) => names[0] === verb)?.example,
  )
  return `${opening} ${WHAT_I_AM} Examples: ${nameSome(examples.filter((example) => example !== undefined))}. ${NEXT}`
}

/** Says which tool a command needs that is not offered. */
export function teachMissing({ tools, intent }: DemoStep, offered: readonly string[]): string {
  const needed = tools.map((tool) => `\`${tool}\``).join(' or ')
  const have = offered.length === 0 ? 'This session offers no tools.' : `Offered are ${nameSome(offered, 8)}.`
  return `To ${intent} I need the tool ${needed}, which is not offered here, so I did nothing. ${have}`
}

/** Says that a message is too long. */
export function teachLength(): string {
  return `That message is longer than I can read, so I did nothing. ${NEXT}`
}

/** Says who can undo. */
export function teachUndo(): string {
  return 'Only you can undo: choose undo in the app, or run `haft undo` in a terminal. It shows what it will change before it does.'
}
