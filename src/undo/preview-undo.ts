import { ToolError } from '../core/call/result.ts'
import type { Kept, ReadFiles } from '../core/ports/files.ts'
import { printableLine } from '../core/text/printable.ts'
import type { Preview } from '../core/tool/prepared.ts'
import type { UndoStep } from './plan-undo.ts'

/** The largest file that is shown as a diff, and how much of all diffs is shown. */
const MAX_FILE = 200_000
const MAX_SHOWN = 50_000

/** What undo will do: a diff where it puts texts back, words where it does not. */
export async function previewUndo(steps: readonly UndoStep[], files: ReadFiles): Promise<Preview> {
  const parts: string[] = []
  for (const step of steps) parts.push((await diffOf(step, files)) ?? `# ${printableLine(describeStep(step))}`)
  const text = parts.join('\n')
  return { kind: 'diff', text: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n# and more` : text }
}

async function diffOf(step: UndoStep, files: ReadFiles): Promise<string | undefined> {
  if (step.do !== 'restore' || (step.kept !== null && step.kept.type !== 'file')) return undefined
  const bytes = step.kept === null ? new Uint8Array() : step.kept.bytes
  if (bytes === null || bytes.length > MAX_FILE) return undefined
  try {
    return await files.diff(step.path, bytes)
  } catch (thrown) {
    // Its place may be made only by an earlier step of this very undo.
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}

function describeStep(step: UndoStep): string {
  if (step.do === 'move') return `moves ${step.path} back to ${step.to}`
  if (step.do === 'set aside') return `sets aside the newer ${step.path}`
  if (step.do === 'remove folder') return `removes the folder ${step.path} when it is empty`
  return step.kept === null ? `removes ${step.path}` : `puts back ${step.path}${sizeOf(step.kept)}`
}

function sizeOf(kept: Kept): string {
  return kept.type === 'file' ? ` (${kept.bytes?.length ?? 0} bytes)` : ` (a ${kept.type})`
}
