import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A command that the person wrote: a Markdown file whose text is sent as a message. */
export interface OwnCommand {
  readonly name: string
  readonly help: string
  /** Returns the message, with what was typed behind the command in place of $ARGUMENTS, else below the text. */
  messageOf(rest: string): string
}

/** Reads the person's own commands from a folder; none where there is no folder. */
export function readOwnCommands(folder: string): OwnCommand[] {
  return namesIn(folder)
    .filter((file) => /^[\w-]+\.md$/.test(file))
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8').trim()
      const help = text.split('\n').find((line) => line.trim() !== '') ?? ''
      return {
        name: file.slice(0, -'.md'.length),
        help: help.replace(/^#+\s*/, ''),
        messageOf: (rest) => fill(text, rest),
      }
    })
}

function fill(text: string, rest: string): string {
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => rest)
  return rest === '' ? text : `${text}\n\n${rest}`
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
