/** Whether edits of a workspace are followed by the project's own checkers. */
export interface EditChecks {
  /** False where the person switched them off, and for a project that is not trusted. */
  readonly isOn: boolean
  /** Checkers that took too long; they are not run again. */
  readonly slow: Set<string>
}
