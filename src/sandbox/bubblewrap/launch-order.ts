import type { RunLimits } from '../../core/ports/sandbox.ts'

/** The path of the order's script inside. */
export const SCRIPT_PATH = '/tmp/.haft/script'

/** What the waiting shell inside executes. */
export interface LaunchOrder {
  readonly argv: readonly string[]
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly script: string | undefined
  readonly limits: RunLimits
  /** True where the program goes on reading from the shell's standard input; it has nothing to read from when left out. */
  readonly takesInput?: boolean
}

/** Quotes words for a POSIX shell. */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}

/** Writes the order as a script for `sh`: set the limits, write the script, execute the program, with empty input unless it takes some. */
export function writeLaunchOrder(order: LaunchOrder): string {
  const { argv, folder, env, script, limits, takesInput } = order
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
