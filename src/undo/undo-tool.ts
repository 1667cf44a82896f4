import { answer, ToolError } from '../core/call/result.ts'
import type { Files, ReadFiles, Replaced } from '../core/ports/files.ts'
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

/** The parts of the log that undo needs. */
export type UndoLog = Pick<UndoStore, 'by' | 'undoOf' | 'claimUndo'>

/** Creates the tool that restores what calls changed. It is a call like any other: judged, approved, logged, and itself undoable. Only one undo of a call can run. Never offered to models. */
export function createUndoTool({ by: replacedBy, undoOf, claimUndo }: UndoLog): Tool {
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
      const { steps } = planOrRefuse(changesOf(calls, { replacedBy, workspace }), files, { calls, force })
      return { preview: await previewUndo(steps, files) }
    },
    execute({ calls, force = false }, { files, workspace, call }) {
      refuseUndone(claimUndo(calls, call))
      const { steps } = planOrRefuse(changesOf(calls, { replacedBy, workspace }), files, { calls, force })
      const done = steps.flatMap((step) => takeStep(step, files, call)).map(printableLine)
      return answer(`Undid ${calls.join(', ')}:\n${done.join('\n')}`, { calls, changes: done })
    },
  })
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
}

function planOrRefuse(records: readonly Replaced[], files: ReadFiles, { calls, force }: Asked): UndoPlan {
  const plan = planUndo(records, files.left, force)
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

function takeStep(step: UndoStep, files: Files, call: string): string[] {
  const { path } = step
  if (step.do === 'move') {
    files.move(path, step.to)
    return [`moved ${path} back to ${step.to}`]
  }
  if (step.do === 'set aside') {
    const aside = freeName(files, `${path}.newer-${call}`)
    files.move(path, aside)
    return [`moved the newer ${path} aside to ${aside}`]
  }
  if (step.do === 'remove folder') return removeFolder(files, path)
  files.restore(path, step.kept)
  return [step.kept === null ? `removed ${path}` : `restored ${path}`]
}

/** Removes a folder unless it is no longer empty. */
function removeFolder(files: Files, path: string): string[] {
  if (files.list(path, { hidden: true, limit: 1 }).entries.length > 0)
    return [`left the folder ${path}: it is not empty`]
  files.restore(path, null)
  return [`removed the folder ${path}`]
}

function freeName(files: ReadFiles, wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (files.changeable(name).current === undefined) return name
  }
}
