/** Which calls of one tool in one workspace a grant covers. */
export type GrantScope =
  /** Exactly this call, by the digest of its tool, schema, arguments and workspace. */
  | { readonly kind: 'exact'; readonly digest: string }
  /** Command lines in which every command is one of these lists of words, with harmless options at most, and which connect to no other hosts. */
  | { readonly kind: 'prefix'; readonly prefixes: readonly (readonly string[])[]; readonly hosts: readonly string[] }
  /** Paths below this folder, which is relative to the workspace; paths through links are not covered. */
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'host'; readonly hosts: readonly string[] }
  /** Any call of the tool. */
  | { readonly kind: 'tool' }

/** A grant that would cover the call of an approval request, with a description for people. */
export interface GrantOffer {
  readonly scope: GrantScope
  readonly text: string
}

/** When a grant ends. Without a limit it is valid until it is revoked. */
export interface GrantLimits {
  readonly times?: number
  readonly minutes?: number
  /** Only in the session that asked. */
  readonly session?: boolean
  /** Only in the job, or the plan, that the session that asked belongs to. */
  readonly within?: 'job' | 'plan'
}

/** The grant that a person gives together with an approval: one of the offers, with its limits. */
export interface GrantChoice extends GrantLimits {
  readonly scope: GrantScope['kind']
}

/** A remembered approval. */
export interface Grant {
  readonly id: string
  readonly tool: string
  readonly workspace: string
  readonly scope: GrantScope
  /** Description for people. */
  readonly text: string
  /** The rules that asked when it was given. It answers no other rules. */
  readonly answers: readonly string[]
  readonly madeAt: number
  /** The session that it is limited to; for a job or a plan, what the ids of its sub-agents begin with. */
  readonly session?: string
  /** Milliseconds since 1970. */
  readonly until?: number
  readonly times?: number
  readonly used: number
}

/** The stored grants, shared by all processes of one home. */
export interface Grants {
  /** The valid grants. Returns the same array as long as nothing changed. */
  list(): Promise<readonly Grant[]>
  /** Rejects if the grant cannot be stored. */
  add(grant: Grant): Promise<void>
  /** Counts one use. False if the grant was revoked, has expired or has no uses left. */
  use(id: string): Promise<boolean>
  /** False if there is no such grant. */
  revoke(id: string): Promise<boolean>
  /** Writes the uses that are counted but not yet written. Never throws: what cannot be written is kept for the next time. */
  flush(): void
}

/** True while a grant has time and uses left. */
export function isGrantLive({ until, times, used }: Grant, now: number): boolean {
  return (until === undefined || until > now) && (times === undefined || used < times)
}
