/** A file that is being named in a text: where its `@` is, where the caret is, and what is typed between. */
export interface Mention {
  readonly start: number
  readonly end: number
  readonly query: string
}

/** Finds the mention that the caret is in. An `@` inside a word, such as that of a mail address, is none. */
export function findMention(text: string, caret: number): Mention | undefined {
  const query = /(?:^|[\s(])@([^\s@"]*)$/.exec(text.slice(0, caret))?.[1]
  return query === undefined ? undefined : { start: caret - query.length - 1, end: caret, query }
}
