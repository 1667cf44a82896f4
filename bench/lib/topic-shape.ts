/** How a run was asked for. */
export interface RunOptions {
  /** Fewer rounds: a first look, not a proof. */
  readonly quick: boolean
  /** False leaves out every contestant that must be installed first. */
  readonly peers: boolean
}

/** One number a release must hold: at most `limit`, and at best `reach`. */
export interface Gate {
  readonly number: string
  readonly what: string
  readonly unit: string
  readonly limit: number
  readonly reach: number
  /** Undefined where it could not be measured, which is a miss. */
  readonly measured: number | undefined
}

/** What a topic found out. */
export interface Report {
  readonly markdown: string
  readonly gates: readonly Gate[]
}

/** One subject of measurement: the default export of `bench/<name>/topic.ts`. */
export interface Topic {
  /** One sentence, shown above the tables. */
  readonly about: string
  run(options: RunOptions): Promise<Report>
}
