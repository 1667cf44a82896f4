/** A small file of Haft's home that several processes read and change. */
export interface KeptFile {
  readonly path: string
  /** Undefined where there is no file. */
  read(): string | undefined
  /** Replaces the text by what `next` makes of the present one; of several processes one at a time. Undefined leaves it as it is. */
  change(next: (text: string | undefined) => string | undefined): void
}

/** A file that lasts as long as the process. */
export function createMemoryFile(): KeptFile {
  let text: string | undefined
  return {
    path: 'memory',
    read: () => text,
    change(next) {
      text = next(text) ?? text
    },
  }
}
