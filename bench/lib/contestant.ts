/** Somebody in the race. */
export interface Contestant<Ready> {
  readonly name: string
  /** True where it needs a package that only the bench installs. */
  readonly peer?: boolean
  start(): Promise<Ready>
}

/** Finds the contestant a child process was started for; throws where there is none. */
export function findContestant<Ready>(
  contestants: readonly Contestant<Ready>[],
  name: string | undefined,
): Contestant<Ready> {
  const found = contestants.find((contestant) => contestant.name === name)
  if (found === undefined) throw new Error(`no contestant is called ${JSON.stringify(name)}`)
  return found
}
