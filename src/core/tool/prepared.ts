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
  /** One sentence on what the call would do, where its touches do not say it well; parts between backticks are literal. Believed of built-in tools only. */
  readonly summary?: string
  /** True where it would replace or delete more than can be kept for undo. */
  readonly cannotUndo?: boolean
  /** True where everything is already as the call would leave it, as `expects` says: no default rule asks about it. Believed of built-in tools only. */
  readonly changesNothing?: boolean
  /** True where what it would write makes other programs run more code than before, such as an install script in package.json. */
  readonly isTrusted?: boolean
}
