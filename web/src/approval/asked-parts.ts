import type { SummaryCommand } from '../../../src/core/approval/call-summary.ts'
import type { Opinion } from '../../../src/core/rules/rule.ts'

/** Returns the opinion that asks or blocks because of a command of a line; undefined where none names it. */
export function findOpinion(command: SummaryCommand, trace: readonly Opinion[]): Opinion | undefined {
  return trace.find(
    ({ decision, reason }) =>
      decision !== 'allow' &&
      (reason.includes(command.text) || namedPaths(reason).some((path) => names(command, path))),
  )
}

/** The paths and hosts that a reason names: `README.md exists and would be deleted`, `it connects (connects to a.example)`. */
function namedPaths(reason: string): readonly string[] {
  const inside = /\((?:deletes|writes|changes|creates|reads|runs|connects to) ([^)]+)\)/.exec(reason)?.[1]
  const first = /^(.+?) exists? and would be /.exec(reason)?.[1]
  return (first ?? inside)?.replace(/ and everything below$/, '').split(', ') ?? []
}

function names({ text }: SummaryCommand, path: string): boolean {
  const plain = path.replace(/\/$/, '')
  return text.split(/[\s'"=]+/).some((word) => word.replace(/^\.\//, '').replace(/\/$/, '') === plain)
}

/** Splits a command line into parts; those of commands that a rule asks about are marked. */
export function markAsked(
  line: string,
  commands: readonly SummaryCommand[],
  trace: readonly Opinion[],
): readonly { readonly text: string; readonly isAsked: boolean }[] {
  const parts: { text: string; isAsked: boolean }[] = []
  let from = 0
  for (const command of commands) {
    const at = line.indexOf(command.text, from)
    if (at === -1 || findOpinion(command, trace) === undefined) continue
    parts.push({ text: line.slice(from, at), isAsked: false }, { text: command.text, isAsked: true })
    from = at + command.text.length
  }
  return [...parts, { text: line.slice(from), isAsked: false }]
}
