import { ToolError } from '../core/call/result.ts'
import type { Kept, ReadFiles } from '../core/ports/files.ts'
import { printableLine } from '../core/text/printable.ts'
import type { Preview } from '../core/tool/prepared.ts'
import type { UndoStep } from './plan-undo.ts'

/** The largest file shown as a diff, and the limit for all diffs, in characters. */
const MAX_FILE = 200_000
const MAX_SHOWN = 50_000

/** Previews an undo: a diff for restored texts, a description for everything else. */
export async function previewUndo(steps: readonly UndoStep[], files: ReadFiles): Promise<Preview> {
  const parts: string[] = []
  let length = 0
  for (const [index, step] of steps.entries()) {
    if (length > MAX_SHOWN) {
      parts.push(`# and ${steps.length - index} more changes that are not shown`)
      break
    }
    const part = (await diffOf(step, files)) ?? `# ${printableLine(describeStep(step))}`
    parts.push(part.length > MAX_SHOWN ? `${part.slice(0, MAX_SHOWN)}\n# and more of it` : part)
    length += part.length
  }
  return { kind: 'diff', text: parts.join('\n') }
}

async function diffOf(step: UndoStep, files: ReadFiles): Promise<string | undefined> {
  if (step.do !== 'restore' || (step.kept !== null && step.kept.type !== 'file')) return undefined
  const bytes = step.kept === null ? new Uint8Array() : step.kept.bytes
  if (bytes === null || bytes.length > MAX_FILE) return undefined
  try {
    return await files.diff(step.path, bytes)
  } catch (thrown) {
    // An earlier step of this undo may have to create its folder first.
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}

function describeStep(step: UndoStep): string {
  if (step.do === 'move') return `moves ${step.path} back to ${step.to}`
  if (step.do === 'set aside') return `moves the newer ${step.path} aside`
  if (step.do === 'remove folder') return `removes the folder ${step.path} when it is empty`
  return step.kept === null ? `removes ${step.path}` : `restores ${step.path}${sizeOf(step.kept)}`
}

function sizeOf(kept: Kept): string {
  return kept.type === 'file' ? ` (${kept.bytes?.length ?? 0} bytes)` : ` (a ${kept.type})`
}
