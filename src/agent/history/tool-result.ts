import type { Result } from '../../core/call/result.ts'
import { imagesOf } from '../../core/call/result-images.ts'
import type { ToolResultMessage } from '../../core/ports/model.ts'
import type { MessageCall } from '../../core/session/message.ts'

/** Outputs that are shorter are not worth folding, in characters. */
export const SHORTEST_FOLDED = 400

/** The result of a call as the model reads it: its text and images, or the code and text of a failure. */
export function toolResult(
  { call, name }: MessageCall,
  result: Result | undefined,
  isFolded: boolean,
): ToolResultMessage {
  const code = result === undefined ? 'INTERRUPTED' : result.ok ? undefined : result.code
  const images = result === undefined || isFolded ? [] : imagesOf(result)
  return {
    role: 'tool',
    call,
    name,
    content: contentOf(call, result, isFolded),
    ...(code !== undefined && { code }),
    ...(images.length > 0 && { images }),
  }
}

function contentOf(call: string, result: Result | undefined, isFolded: boolean): string {
  if (result === undefined) return 'INTERRUPTED: It was not run, or its end is not known: the run had ended.'
  const text = result.ok ? result.text : `${result.code}: ${result.text}`
  if (!isFolded || text.length < SHORTEST_FOLDED) return text
  const first = text.slice(0, 200).split('\n').slice(0, 3).join('\n')
  return `${first}\n[The rest of this output was folded to save room. Read it with read_output {"call":"${call}"}.]`
}
