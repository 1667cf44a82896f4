import { isRecord } from '../../core/text/json.ts'

/** A problem of a file. */
export interface Problem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** Lines of checkers, each with the groups `file`, `line` and `message`. */
const FORMS: readonly RegExp[] = [
  /^(?<file>.+?)\((?<line>\d+),\d+\): (?<message>error TS\d+: .+)$/,
  /^::(?:error|warning) title=(?<rule>[^,]*),file=(?<file>[^,]+),line=(?<line>\d+),[^:]*::(?<message>.+)$/,
  /^\s*(?:vet: )?(?<file>[^\s:][^:]*):(?<line>\d+)(?::\d+)?(?::| -) +(?<message>.+)$/,
]

/** Reads what checkers printed about one file. `isFile` tells whether a printed path is that file. */
export function readProblems(printed: string, isFile: (path: string) => boolean): readonly Problem[] {
  return printed
    .split('\n')
    .flatMap((line) => (line.startsWith('[{') ? readJson(line, isFile) : readLine(line, isFile)))
}

function readLine(text: string, isFile: (path: string) => boolean): readonly Problem[] {
  for (const form of FORMS) {
    const { file = '', line = '', message = '', rule } = form.exec(text)?.groups ?? {}
    if (file === '' || !isFile(file)) continue
    return [{ line: Number(line), message: rule === undefined ? message.trim() : `${rule}: ${message.trim()}` }]
  }
  return []
}

/** The form of eslint. */
function readJson(text: string, isFile: (path: string) => boolean): readonly Problem[] {
  const files = parse(text)
  return files.flatMap((file) => {
    if (!isRecord(file) || !isFile(`${file.filePath}`) || !Array.isArray(file.messages)) return []
    return file.messages.filter(isRecord).map(({ line, message, ruleId }) => ({
      line: typeof line === 'number' ? line : 1,
      message: typeof ruleId === 'string' ? `${ruleId}: ${message}` : `${message}`,
    }))
  })
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    // A cut or foreign line tells nothing.
    return []
  }
}

/** Returns the problems that were not there before, whatever their lines are now. */
export function findNew(after: readonly Problem[], before: readonly Problem[]): readonly Problem[] {
  const known = new Map<string, number>()
  for (const { message } of before) known.set(message, (known.get(message) ?? 0) + 1)
  return after.filter(({ message }) => {
    const left = known.get(message) ?? 0
    known.set(message, left - 1)
    return left <= 0
  })
}
