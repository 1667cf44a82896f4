import type { Kept, ReadFiles } from '../core/files.ts'
import { ToolError } from '../core/result.ts'
import type { Preview } from '../core/tool.ts'
import type { UndoStep } from './plan-undo.ts'

/** The largest file that is shown as a diff, and how much of all diffs is shown. */
const MAX_FILE = 200_000
const MAX_SHOWN = 50_000

/** What undo will do, as one diff where it puts texts back and as words where it does not. */
export async function previewUndo(steps: readonly UndoStep[], files: ReadFiles): Promise<Preview> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const parts = steps.map((step) => {
    const [before, after] = step.do === 'restore' ? [textAt(files, step.path), textOf(step.kept)] : []
    if (step.do !== 'restore' || before === undefined || after === undefined) return `# ${describeStep(step)}`
    const names = [before === '' ? '/dev/null' : step.path, step.kept === null ? '/dev/null' : step.path] as const
    const options = { headerOptions: FILE_HEADERS_ONLY, timeout: 1_000 }
    return (
      createTwoFilesPatch(names[0], names[1], before, after, undefined, undefined, options) ?? `# ${describeStep(step)}`
    )
  })
  const text = parts.join('\n')
  return { kind: 'diff', text: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n# and more` : text }
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

/** The text of a file that is there now, '' when nothing is, undefined when it is no text or an earlier step makes its place. */
function textAt(files: ReadFiles, path: string): string | undefined {
  try {
    const facts = files.changeable(path).current
    if (facts === undefined) return ''
    return facts.type === 'file' && facts.size <= MAX_FILE ? decode(files.read(path, MAX_FILE).bytes) : undefined
  } catch (thrown) {
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}

function textOf(kept: Kept | null): string | undefined {
  if (kept === null) return ''
  return kept.type === 'file' && kept.bytes && kept.bytes.length <= MAX_FILE ? decode(kept.bytes) : undefined
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
