import type { PathLookup } from '../core/ports/path-lookup.ts'
import { decide, STRICTNESS } from '../core/rules/decide.ts'
import type { CallReading, ChangeVerdict, Opinion, RanCall, RealChange, Verdict } from '../core/rules/rule.ts'
import { resolvePath } from '../core/text/paths.ts'
import { deletes, writes } from '../core/tool/touch.ts'
import { readNamed } from './defaults/judge-touches.ts'
import type { JudgeLocation } from './defaults/path-zones.ts'
import { answerByMode } from './modes/modes.ts'

/** The default ask that counts for real changes; the one about existing files only predicts. */
const ASKS_AT_APPLY: readonly string[] = ['ask_trusted_files']

/** The inside of a repository: `git commit` and `git init` change it, and the apply step itself tells harmless changes from others. */
const IN_REPOSITORY = /(^|\/)\.git(\/|$)/i

const NOTHING_AGAINST: ChangeVerdict = Object.freeze({
  decision: 'allow',
  rule: 'real changes',
  reason: 'no rule is against what it changed',
  trace: Object.freeze([]),
})

/** What existed before the run is known, so that nothing is looked up. */
const EXISTING: PathLookup = { kindOf: () => 'file', findBelow: () => 'file' }
const MISSING: PathLookup = { kindOf: () => 'none', findBelow: () => 'none' }

/** How the rules beside the defaults judge one change. */
export type OwnOpinions = (reading: CallReading) => readonly Opinion[]

/** Judges each change by itself and returns the strictest verdict, with the path it is about. */
export function judgeChanges(
  call: RanCall,
  changes: readonly RealChange[],
  { location, opinionsOf }: { readonly location: JudgeLocation; readonly opinionsOf: OwnOpinions },
): ChangeVerdict {
  const approved = new Set(call.approvedPaths?.map((path) => resolvePath(location.workspace, path)))
  // One object each, since zones are cached by location.
  const existing = { ...location, lookup: EXISTING }
  const missing = { ...location, lookup: MISSING }
  let strictest = NOTHING_AGAINST
  for (const { kind, path, existed } of changes) {
    const verdict = judgeChange(call, { kind, path }, { location: existed ? existing : missing, opinionsOf })
    if (verdict.decision === 'silent' || STRICTNESS[verdict.decision] <= STRICTNESS[strictest.decision]) continue
    if (verdict.decision === 'ask' && approved.has(resolvePath(location.workspace, path))) continue
    const { decision, rule, reason, trace } = verdict
    strictest = { decision, rule, reason, path, trace }
    if (decision === 'deny') break
  }
  return strictest
}

function judgeChange(
  call: RanCall,
  { kind, path }: Pick<RealChange, 'kind' | 'path'>,
  { location, opinionsOf }: { readonly location: JudgeLocation; readonly opinionsOf: OwnOpinions },
): Verdict {
  const { reading, opinions } = readNamed([kind === 'deletes' ? deletes(path) : writes(path)], location)
  const counting = IN_REPOSITORY.test(path)
    ? []
    : opinions.filter(({ decision, rule }) => decision === 'deny' || ASKS_AT_APPLY.includes(rule))
  return decide([...answerByMode(counting, call.mode), ...opinionsOf(reading)])
}
