/** What a person is shown before they answer. */
export interface Preview {
  readonly kind: 'text' | 'diff' | 'command'
  readonly text: string
}

/** What `prepare` learned without changing anything. */
export interface Prepared {
  readonly preview?: Preview
  /** Path → its state as `files.state` gives it (for a file the SHA-256 of its content), or null for "absent": checked again after an approval and before the effect. */
  readonly expects?: Readonly<Record<string, string | null>>
  /** True where it would replace or delete more than can be kept for undo. */
  readonly cannotUndo?: boolean
}
