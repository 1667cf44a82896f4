import type { RunLimits } from '../core/sandbox.ts'

/** Where the order's script lies inside. */
export const SCRIPT_PATH = '/tmp/.haft/script'

/** What the waiting shell inside is told to become. */
export interface LaunchOrder {
  readonly argv: readonly string[]
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly script: string | undefined
  readonly limits: RunLimits
  /** True where the program goes on reading from the shell's standard input; it has nothing to read from when left out. */
  readonly takesInput?: boolean
}

/** Words for a POSIX shell, each exactly itself. */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}

/** The order as a script for `sh`: set the limits, write the script, become the program, mostly with nothing to read from. */
export function writeLaunchOrder({ argv, folder, env, script, limits, takesInput }: LaunchOrder): string {
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quoteWords([value])}`)
  const seconds = Math.max(1, Math.ceil(limits.cpuSeconds))
  return [
    `cd ${quoteWords([folder])} || exit 126`,
    `ulimit -c 0; ulimit -S -t ${seconds}; ulimit -H -t ${seconds + 1}; ulimit -f ${Math.ceil(limits.fileSize / 512)}`,
    // The count of processes: -p in dash, -u in bash.
    `ulimit -p ${limits.processes} 2>/dev/null || ulimit -u ${limits.processes}`,
    ...(script === undefined ? [] : [`printf %s ${quoteWords([script])} > ${SCRIPT_PATH}`]),
    ...variables,
    `exec ${quoteWords(argv)} ${takesInput ? '' : '</dev/null '}3>&- 4<&- 5<&-`,
    '',
  ].join('\n')
}
