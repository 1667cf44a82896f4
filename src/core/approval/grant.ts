/** What a grant speaks of; always of one tool in one workspace. */
export type GrantScope =
  /** This very call, by the digest of its tool, schema, arguments and workspace. */
  | { readonly kind: 'exact'; readonly digest: string }
  /** Command lines each of whose commands is one of these lists of words, with harmless options at most, and which connect to no other hosts. */
  | { readonly kind: 'prefix'; readonly prefixes: readonly (readonly string[])[]; readonly hosts: readonly string[] }
  /** Paths below this folder, relative to the workspace; never through a link. */
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'host'; readonly hosts: readonly string[] }
  /** Any call of the tool. */
  | { readonly kind: 'tool' }

/** A grant that would fit a question, in words for the person. */
export interface GrantOffer {
  readonly scope: GrantScope
  readonly text: string
}

/** How long a grant holds; with none of these it holds until it is revoked. */
export interface GrantLimits {
  readonly times?: number
  readonly minutes?: number
  /** Only in the session that asked. */
  readonly session?: boolean
}

/** What a person wishes to remember with their yes: one of the offers, and how long. */
export interface GrantChoice extends GrantLimits {
  readonly scope: GrantScope['kind']
}

/** A remembered yes. */
export interface Grant {
  readonly id: string
  readonly tool: string
  readonly workspace: string
  readonly scope: GrantScope
  /** In words for people. */
  readonly text: string
  /** The rules that asked when it was given: it answers no others. */
  readonly answers: readonly string[]
  readonly madeAt: number
  readonly session?: string
  /** Milliseconds since 1970. */
  readonly until?: number
  readonly times?: number
  readonly used: number
}

/** Where grants are kept, seen by every process that keeps them in the same place. */
export interface Grants {
  /** Those that still hold; the same array while nothing changed. */
  list(): Promise<readonly Grant[]>
  /** Rejects where it cannot be kept. */
  add(grant: Grant): Promise<void>
  /** Counts one use; false where the grant is gone, has run out or was used up by somebody else. */
  use(id: string): Promise<boolean>
  /** False where there is no such grant. */
  revoke(id: string): Promise<boolean>
  /** Writes the uses that were counted and not yet written. */
  close(): void
}

/** True while a grant has time and uses left. */
export function isGrantLive({ until, times, used }: Grant, now: number): boolean {
  return (until === undefined || until > now) && (times === undefined || used < times)
}
