/** Another name that calls may use for a tool: understood, never offered to a model. */
export interface Alias {
  readonly name: string
  /** Arguments of the tool for a call by this name that does not give them itself. */
  readonly preset?: Readonly<Record<string, unknown>>
}
