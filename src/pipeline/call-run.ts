import type { PreparedCall, ValidCall } from '../core/call/call.ts'
import { CallContext } from './context/call-context.ts'
import type { Judged } from './judge/judged.ts'
import type { PathClaim } from './ordering/path-claims.ts'
import type { Parsed } from './parse/parse.ts'
import type { Parts, Request } from './request.ts'
import type { Stage } from './stage.ts'

/** The run of one call through the stages. */
export interface CallRun {
  readonly request: Request
  readonly parts: Parts
  /** The context of its tool. */
  readonly context: CallContext
  /** True for a call that is only checked. It does not wait for other writers and claims no path. */
  readonly isCheck: boolean
  /** What validate and judge have found out so far. */
  valid: ValidCall | undefined
  repairs: readonly string[]
  judged: Judged | undefined
  /** The id of its stored approval request, which is deleted when the call ends. */
  approval: string | undefined
  /** Its right to write to the paths it names. */
  claim: PathClaim | undefined
  /** Releases the turn of a call that runs in the background. */
  giveTurnBack: (() => void) | undefined
}

/** The stages before approval. They change nothing, so any process can repeat them at any time. */
export type BeforeApproval = (parsed: Parsed, run: CallRun) => Stage<PreparedCall>

/** Begins the run of a call. */
export function startRun(request: Request, parts: Parts, isCheck = false): CallRun {
  return {
    request,
    parts,
    context: new CallContext(request, parts),
    isCheck,
    valid: undefined,
    repairs: NO_REPAIRS,
    judged: undefined,
    approval: undefined,
    claim: undefined,
    giveTurnBack: undefined,
  }
}

const NO_REPAIRS: readonly string[] = Object.freeze([])
