import type { ModelCall } from '../../../core/ports/model.ts'
import { saysItActs, saysOtherwise } from '../acting/says-it-acts.ts'
import { resolveCalls } from '../calls/resolve-calls.ts'
import type { Source } from '../families/family.ts'
import { openSource } from '../families/family.ts'
import { readBareBlocks } from './read-bare-blocks.ts'

/** Calls that no markup marks. */
export interface BareReading {
  readonly calls: readonly ModelCall[]
  /** What stays visible. */
  readonly text: string
  readonly isCut: boolean
  readonly repairs: readonly string[]
}

/** How many places of a message are tried as the beginning of its last block. */
const MAX_STARTS = 12
const BLOCK_LINE = /^[ \t]*(?:[{[]|`{3,}|~{3,})/gm
const AFTER_SENTENCE = /[:.!。：][ \t]{0,4}(?=[{[])/g

/** Reads a call that is the full message, or its last block after a sentence in which the assistant says that it acts now. */
export function readBareForms(text: string, source: Source): BareReading | undefined {
  if (source.tools.isEmpty) return undefined
  const body = text.trimEnd()
  for (const start of findStarts(body)) {
    const prose = body.slice(0, start)
    const isFull = prose.trim() === ''
    const blocks = readBareBlocks(openSource(body.slice(start), source.tools), isFull)
    if (blocks === undefined) continue
    const isMeant = isFull || (blocks.isToolFence ? !saysOtherwise(prose) : saysItActs(prose))
    if (!isMeant) return undefined
    if (blocks.calls.length === 0) return { calls: [], text: prose.trimEnd(), isCut: true, repairs: [] }
    const { calls, others, repairs } = resolveCalls(blocks.calls, source.tools)
    if (others.length > 0) return undefined
    return { calls, text: prose.trimEnd(), isCut: blocks.isCut, repairs }
  }
  return undefined
}

/** The places where the last block may begin: the message itself, lines that begin with a bracket or a fence, and a bracket after a sentence on the last line. */
function findStarts(body: string): readonly number[] {
  const first = body.length - body.trimStart().length
  const lines = [...body.matchAll(BLOCK_LINE)].map(({ index }) => index).slice(0, MAX_STARTS)
  const lastLine = body.lastIndexOf('\n') + 1
  const inline = AFTER_SENTENCE.exec(body.slice(lastLine, lastLine + 2000))
  AFTER_SENTENCE.lastIndex = 0
  const tail = inline === null ? [] : [lastLine + inline.index + inline[0].length]
  return [...new Set([first, ...lines, ...tail])]
}
