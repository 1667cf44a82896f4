/** Another name that calls may use for a tool. It is accepted, but never offered to a model. */
export interface Alias {
  readonly name: string
  /** Default arguments for a call by this name. */
  readonly preset?: Readonly<Record<string, unknown>>
}
