/** The terminal and the process, as far as the UI needs them. */
export interface Surroundings {
  size(): { readonly columns: number; readonly rows: number }
  /** Sounds the bell. */
  ring(): void
  /** Empties the screen. */
  wipe(): void
  /** Leaves the UI. */
  exit(code: number): void
  /** Stops the process as the shell's job control does; it goes on with `fg`. */
  suspend(): void
}
