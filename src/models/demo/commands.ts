import { actionCommands } from './action-commands.ts'
import type { DemoCommand, DemoStep } from './command.ts'
import { fileCommands } from './file-commands.ts'
import { searchCommands } from './search-commands.ts'
import { splitCommands, withoutStop } from './words.ts'

/** All commands, in the order of the help. */
export const COMMANDS: readonly DemoCommand[] = [...fileCommands, ...searchCommands, ...actionCommands]

/** The most commands of one message. */
const MAX_COMMANDS = 20

/** The longest message that is read: patterns take longer than a message is long. */
const MAX_LENGTH = 20_000

/** What one part of a message asks for. */
export type Understood =
  | { readonly kind: 'step'; readonly step: DemoStep }
  | { readonly kind: 'help' | 'greeting' | 'undo' | 'too-long' }
  /** `command` is there where its first word is known and the rest is not. */
  | { readonly kind: 'unknown'; readonly text: string; readonly command?: DemoCommand }

/** Reads a message as commands, in order; empty where it says nothing. */
export function readMessage(message: string): readonly Understood[] {
  if (message.length > MAX_LENGTH) return [{ kind: 'too-long' }]
  const parts = splitCommands(message, isCommand)
  return parts.length > MAX_COMMANDS ? [{ kind: 'too-long' }] : parts.map(readCommand)
}

function readCommand(text: string): Understood {
  const plain = withoutStop(text).toLowerCase()
  if (/^(?:help|commands|\?|what can (?:you|i) (?:do|say))(?: me)?$/.test(plain) || text === '?')
    return { kind: 'help' }
  if (/^(?:hello|hi|hey|good (?:morning|evening)|(?:who|what) are you|thanks|thank you)\b/.test(plain))
    return { kind: 'greeting' }
  if (/^undo\b/.test(plain)) return { kind: 'undo' }
  const { command, verb, rest } = splitVerb(text)
  const step = command?.read(rest, verb)
  if (step !== undefined) return { kind: 'step', step }
  return { kind: 'unknown', text, ...(command && { command }) }
}

function isCommand(text: string): boolean {
  return splitVerb(text).command !== undefined || /^(?:help|undo)\b/i.test(text)
}

function splitVerb(text: string): { command: DemoCommand | undefined; verb: string; rest: string } {
  const [, symbol, word = '', rest = ''] = /^(?:([$!])|([A-Za-z]+):?(?=\s|$))\s*(.*)$/s.exec(text) ?? []
  const verb = (symbol ?? word).toLowerCase()
  return { command: COMMANDS.find(({ verbs }) => verb !== '' && verbs.includes(verb)), verb, rest }
}
