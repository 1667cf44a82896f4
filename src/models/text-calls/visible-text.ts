import type { ToolDefinition } from '../../core/ports/model.ts'
import { offerTools } from './calls/offered-tools.ts'
import { openSource } from './families/family.ts'
import { openScan, type Segment, startState } from './scan/scan.ts'
import { scanMessage } from './scan/scan-message.ts'
import { createJoiner } from './visible-pieces.ts'

/** A piece of a reply that may be shown while the rest arrives. */
export interface VisiblePart {
  readonly type: 'text' | 'reasoning'
  readonly text: string
}

/** Decides what of a reply may be shown while it arrives. */
export interface VisibleText {
  /** Takes the next piece; returns what may be shown now. */
  push(piece: string): VisiblePart[]
  /** Returns what was held back and turned out to be text. Nothing may be pushed after it. */
  end(): VisiblePart[]
}

/** How much of what was read is kept, so that the beginning of a line is known. */
const KEPT = 2000
const TRIM_AT = 4 * KEPT

/**
 * Holds back only what may be the beginning of reasoning markup or of a call in a family's markup; shows everything else at once.
 * Bare calls are shown as they come, and so is reasoning whose opening mark stood in the prompt: only the full reply tells what they are.
 */
export function createVisibleText(tools: readonly ToolDefinition[]): VisibleText {
  const offered = offerTools(tools)
  const state = startState()
  const joiner = createJoiner()
  let buffer = ''
  let nextTry = 0

  const read = (isFinal: boolean): VisiblePart[] => {
    const parts: VisiblePart[] = []
    for (const segment of scanMessage(openScan(openSource(buffer, offered), state, isFinal)))
      parts.push(...showSegment(segment, joiner.add))
    // What is held back is looked at again only when it has grown by an eighth, so that a long call takes linear time.
    const held = buffer.length - state.at
    nextTry = buffer.length + Math.floor(held / 8)
    if (state.at > TRIM_AT) {
      const cut = state.at - KEPT
      buffer = buffer.slice(cut)
      state.at -= cut
      state.shown -= cut
      nextTry -= cut
    }
    return parts
  }

  return {
    push(piece) {
      buffer += piece
      return piece === '' || buffer.length < nextTry ? [] : read(false)
    },
    end: () => read(true),
  }
}

function showSegment(segment: Segment, add: (piece: string) => string): VisiblePart[] {
  if (segment.kind === 'reasoning') {
    add('')
    return [{ type: 'reasoning', text: segment.text }]
  }
  const text = add(segment.kind === 'text' ? segment.text : '')
  return text === '' ? [] : [{ type: 'text', text }]
}
