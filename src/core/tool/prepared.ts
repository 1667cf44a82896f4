/** What a person sees before they answer. */
export interface Preview {
  readonly kind: 'text' | 'diff' | 'command'
  readonly text: string
}

/** The result of `prepare`. */
export interface Prepared {
  readonly preview?: Preview
  /** Path → its state as `files.state` gives it (for a file the SHA-256 of its content), or null if nothing is there. Checked again after an approval and before the effect. */
  readonly expects?: Readonly<Record<string, string | null>>
  /** True where it would replace or delete more than can be kept for undo. */
  readonly cannotUndo?: boolean
}
