/** The slash commands of the terminal UI that are commands of the command line, which plain mode names instead. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'sessions',
  'approvals',
  'undo',
  'tasks',
  'rules',
  'why',
  'export',
  'tools',
])

const HELP = [
  'Write a message and press Enter; @file attaches a file.',
  '/clear starts a new session. /quit, an empty line or Ctrl-D leaves.',
  'Ctrl-C stops the run. Choose model and mode at the start: haft --plain --model NAME --mode MODE.',
]

/** What becomes of a line that is a command and no message. */
export interface PlainCommand {
  readonly action: 'say' | 'clear' | 'quit'
  readonly lines: readonly string[]
}

/** Reads a line that begins with a slash command or `!`. Returns undefined for a message. */
export function readPlainCommand(line: string): PlainCommand | undefined {
  if (line.startsWith('!'))
    return say('Plain mode runs no command lines. In another terminal: haft call shell \'{"command":"…"}\'')
  const name = /^\/([\w-]+)(?:\s|$)/.exec(line)?.[1]
  if (name === undefined) return undefined
  if (name === 'quit') return { action: 'quit', lines: [] }
  if (name === 'clear') return { action: 'clear', lines: ['The next message starts a new session.'] }
  if (name === 'help') return say(...HELP)
  if (ELSEWHERE.has(name)) return say(`Plain mode has no /${name}. In another terminal: haft ${name}`)
  return say(`Plain mode has no command /${name}. Its commands: /help, /clear, /quit`)
}

function say(...lines: readonly string[]): PlainCommand {
  return { action: 'say', lines }
}
