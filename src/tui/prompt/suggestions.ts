import type { TextBuffer } from './text-buffer.ts'

/** Something that can be completed: what it replaces, and with what. */
export interface Suggestion {
  readonly text: string
  readonly detail?: string
  /** Where the word begins that it replaces; it ends at the cursor. */
  readonly from: number
}

/** The names that words are completed with. */
export interface Names {
  /** Slash commands with a line of help each. */
  commands(): readonly { readonly name: string; readonly help: string }[]
  /** Files of the workspace whose path holds a text, the best first. */
  files(part: string): Promise<readonly string[]>
}

/** The most suggestions that are shown. */
const SHOWN = 6

/** Returns what the word at the cursor may become: a command at the start of the message, or a file after `@`. */
export async function suggest({ text, cursor }: TextBuffer, names: Names): Promise<readonly Suggestion[]> {
  const before = text.slice(0, cursor)
  const [, slash] = /^\/(\S*)$/.exec(before) ?? []
  if (slash !== undefined)
    return names
      .commands()
      .filter(({ name }) => name.startsWith(slash))
      .slice(0, SHOWN * 3)
      .map(({ name, help }) => ({ text: `/${name} `, detail: help, from: 0 }))
  const file = /(?:^|\s)@([^\s"]*)$/.exec(before)
  if (!file) return []
  const part = file[1] ?? ''
  const found = await names.files(part)
  return found.slice(0, SHOWN).map((path) => ({
    text: `@${/\s/.test(path) ? `"${path}"` : path} `,
    from: cursor - part.length - 1,
  }))
}
