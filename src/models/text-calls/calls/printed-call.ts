/** A call as a model printed it, before its name is looked up. */
export interface PrintedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Values without a name, in Python syntax. */
  readonly positional?: readonly unknown[]
  /** The values are texts without a type, as in XML; the tool's schema gives them one. */
  readonly isUntyped?: boolean
  /** Keys whose texts are strings for certain. */
  readonly strings?: ReadonlySet<string>
  /** Where it stands in the message. */
  readonly start: number
  readonly end: number
}
