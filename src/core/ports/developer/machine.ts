/** What is to be pushed, and where. Nothing else of the repository counts: neither its settings nor its hooks. */
export interface PushOrder {
  /** The folder with the data of the repository (`.git`), inside the workspace. */
  readonly repository: string
  /** The full name of the commit. */
  readonly commit: string
  /** The branch of the remote, without `refs/heads/`. */
  readonly branch: string
  /** The address, as the person was shown it; credentials in it are used and never printed. */
  readonly url: string
  /** Replaces the branch of the remote: only while it is at this commit, or wherever it is if null. */
  readonly force?: { readonly expected: string | null }
}

/** What became of the branch of the remote. */
export interface PushReport {
  readonly outcome: 'created' | 'updated' | 'forced' | 'unchanged'
  /** What git and the remote printed, without credentials. */
  readonly text: string
}

/** A process of the person. */
export interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly name: string
  /** Share of one processor since its start, in percent. */
  readonly cpu: number
  /** Memory in use, in bytes. */
  readonly memory: number
  /** ISO 8601. */
  readonly started: string
  readonly command: string
}

/** What a few tools do outside the sandbox, each in one narrow way. */
export interface Machine {
  /** Pushes a commit with the person's own settings and credentials. Never prompts. Rejects with ToolError if the remote cannot be reached or refuses. */
  push(order: PushOrder, signal: AbortSignal): Promise<PushReport>
  /** Lists the processes of the person, oldest first. */
  processes(): Promise<readonly ProcessFacts[]>
}
