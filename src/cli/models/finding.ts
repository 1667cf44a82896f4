/** One thing that was tried: whether it holds, and what was seen. */
export interface Finding {
  readonly what: string
  readonly holds: boolean
  readonly seen: string
}
