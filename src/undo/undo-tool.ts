import { answer, failureOf, ToolError } from '../core/call/result.ts'
import type { Files, KnownStates, ReadFiles, Replaced } from '../core/ports/files.ts'
import type { KeptReplaced, UndoMark, UndoStore } from '../core/ports/undo-store.ts'
import { printableLine } from '../core/text/printable.ts'
import { array, boolean, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool, type Tool } from '../core/tool/tool.ts'
import { writes } from '../core/tool/touch.ts'
import { findUsedRepositories, pathsToJudge } from './made-repositories.ts'
import { planUndo, type UndoPlan, type UndoStep } from './plan-undo.ts'
import { previewUndo } from './preview-undo.ts'

/** The name of undo in the log. */
export const UNDO = 'undo'

/** The parts of the log that undo needs, and how an undo that failed in the middle is taken back. */
export interface UndoLog extends Pick<UndoStore, 'by' | 'undoOf' | 'claimUndo'> {
  /** Takes back what an undo has done so far; returns what could not be taken back. */
  rollBack(undo: string): readonly string[]
}

/** Creates the tool that restores what calls changed. It is a call like any other: judged, approved, logged, and itself undoable. Only one undo of a call can run; it restores everything or nothing. Never offered to models. */
export function createUndoTool({ by, undoOf, claimUndo, rollBack }: UndoLog): Tool {
  const replacedBy = rememberLast(by)
  const statesOf = rememberStates()
  return defineTool({
    name: UNDO,
    description: 'Restore files that calls changed, the last change first.',
    input: objectSchema({
      calls: array(string('Call'), 'Calls to undo, the last one first'),
      force: optional(boolean('Move files that changed since aside instead of refusing')),
    }),
    effect: 'write',
    approval: true,
    personal: true,
    touches: ({ calls }) => pathsToJudge(calls.flatMap(replacedBy)).map(writes),
    async prepare({ calls, force = false }, { files, workspace }) {
      refuseUndone(calls.map(undoOf).find((mark) => mark !== undefined))
      const known = statesOf(calls)
      const { steps } = planOrRefuse(changesOf(calls, { replacedBy, workspace }), files, { calls, force, known })
      return { preview: await previewUndo(steps, files) }
    },
    execute({ calls, force = false }, { files, workspace, call }) {
      refuseUndone(claimUndo(calls, call))
      const known = statesOf(calls)
      const { steps } = planOrRefuse(changesOf(calls, { replacedBy, workspace }), files, { calls, force, known })
      known.clear()
      const done = allOrNothing(call, rollBack, () => takeSteps(steps, files, call)).map(printableLine)
      return answer(`Undid ${calls.join(', ')}:\n${done.join('\n')}`, { calls, changes: done })
    },
  })
}

/** Reads the records of a call once: the same ones are needed to judge, to prepare and to restore. */
function rememberLast(by: UndoLog['by']): UndoLog['by'] {
  let last: { readonly call: string; readonly records: readonly KeptReplaced[] } | undefined
  return (call) => {
    if (last?.call !== call || last.records.length === 0) last = { call, records: by(call) }
    return last.records
  }
}

/** Returns the states of files that were read for the same calls before: what was compared for the approval is read again only where a file may have changed since. */
function rememberStates(): (calls: readonly string[]) => KnownStates {
  let last: { readonly calls: string; readonly states: KnownStates } | undefined
  return (calls) => {
    const key = calls.join()
    if (last?.calls !== key) last = { calls: key, states: new Map() }
    return last.states
  }
}

/** Does the work; when it throws, takes back what was done of it. */
function allOrNothing<T>(call: string, rollBack: UndoLog['rollBack'], work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    const left = rollBack(call)
    const fate = left.length === 0 ? 'Nothing was undone.' : `Not all of it could be taken back: ${left.join('; ')}.`
    const { code, text, details, retryable } = failureOf(thrown)
    throw new ToolError(code, `${text} ${fate}`, {
      ...(details && { details }),
      ...(retryable !== undefined && { retryable }),
    })
  }
}

function refuseUndone(mark: UndoMark | undefined): void {
  if (mark === undefined) return
  const { call, undo, isRunning } = mark
  const text = isRunning
    ? `${call} is being undone by ${undo} at the moment. Nothing was undone now.`
    : `${call} was already undone by ${undo}. Nothing was undone now; to restore its changes, run haft undo ${undo}.`
  throw new ToolError('CONFLICT', text, { details: { call, undo, isRunning } })
}

interface Source {
  readonly workspace: string
  replacedBy(call: string): readonly KeptReplaced[]
}

function changesOf(calls: readonly string[], { replacedBy, workspace }: Source): readonly Replaced[] {
  return calls.flatMap((call) => {
    const records = replacedBy(call)
    const elsewhere = records.find((record) => record.workspace !== workspace)
    if (records.length === 0)
      throw new ToolError('FILE_NOT_FOUND', `${call} changed no file, or the replaced content is no longer kept.`)
    if (elsewhere)
      throw new ToolError(
        'INVALID_PATH',
        `${call} changed files in ${elsewhere.workspace}; undo it with that folder as the workspace.`,
      )
    return [...records].reverse()
  })
}

interface Asked {
  readonly calls: readonly string[]
  readonly force: boolean
  /** What was read before. */
  readonly known: KnownStates
}

function planOrRefuse(records: readonly Replaced[], files: ReadFiles, { calls, force, known }: Asked): UndoPlan {
  const plan = files.withLeft((left) => planUndo(records, left, force), known)
  const conflicts = [...plan.conflicts, ...findUsedRepositories(records, plan.steps, files)]
  if (conflicts.length === 0) return plan
  const lines = conflicts.map(({ path, reason }) => printableLine(`- ${path} ${reason}`))
  const hint = force ? '' : '\n--force moves newer files aside and restores the rest.'
  throw new ToolError(
    'CONFLICT',
    `${calls.join(', ')} cannot be undone, and nothing was changed:\n${lines.join('\n')}${hint}`,
    {
      details: { conflicts },
    },
  )
}

type RestoringStep = Extract<UndoStep, { do: 'restore' | 'remove folder' }>

/** Takes the steps in order; those that restore entries side by side together, which is much faster. */
function takeSteps(steps: readonly UndoStep[], files: Files, call: string): string[] {
  const done: string[] = []
  let restored: RestoringStep[] = []
  const flush = () => {
    done.push(...restoreAll(restored, files))
    restored = []
  }
  for (const step of steps) {
    if (step.do === 'restore' || step.do === 'remove folder') restored.push(step)
    else {
      flush()
      done.push(...takeMove(step, files, call))
    }
  }
  flush()
  return done
}

function restoreAll(steps: readonly RestoringStep[], files: Files): string[] {
  const stayed = new Set(
    files.restoreAll(steps.map((step) => ({ path: step.path, kept: step.do === 'restore' ? step.kept : null }))),
  )
  return steps.map((step) => {
    const { path } = step
    if (stayed.has(path)) return `left the folder ${path}: it is not empty`
    if (step.do === 'remove folder') return `removed the folder ${path}`
    return step.kept === null ? `removed ${path}` : `restored ${path}`
  })
}

function takeMove(step: Extract<UndoStep, { do: 'move' | 'set aside' }>, files: Files, call: string): string[] {
  const { path } = step
  if (step.do === 'move') {
    files.move(path, step.to)
    return [`moved ${path} back to ${step.to}`]
  }
  const aside = freeName(files, `${path}.newer-${call}`)
  files.move(path, aside)
  return [`moved the newer ${path} aside to ${aside}`]
}

function freeName(files: ReadFiles, wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (files.changeable(name).current === undefined) return name
  }
}
