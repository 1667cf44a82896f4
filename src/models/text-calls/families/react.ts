import { matchAt, skipSpace } from '../literals/reading.ts'
import type { Family, MarkupReading, Source } from './family.ts'
import { readArgumentsAfter, readBody } from './read-body.ts'

const OPENER = /(?:(?:\*\*)?Action[ \t]?:(?:\*\*)?|✿FUNCTION✿:)[ \t]{0,20}/y
const NAME = /[ \t]{0,20}[`"'*]{0,2}([\p{L}_][\p{L}\p{N}_.:/-]{0,200})[`"'*]{0,2}[ \t]{0,20}(?:\r?\n|$)/uy
const INPUT = /[ \t\r\n]{0,20}(?:(?:\*\*)?Action[ _]?Input[ \t]?:(?:\*\*)?|✿ARGS✿:)[ \t\r\n]{0,20}/iy
const NOTHING = /(?:None|null|N\/A)?[ \t]{0,20}(?:\r?\n|$)/iy
/** What a model makes up when it does not stop after its call. */
const OBSERVATION = /\s{0,20}(?:(?:\*\*)?Observation[ \t]?:|✿RESULT✿)/y

/** ReAct: `Action: name` and `Action Input: {…}`, or `Action:` and a fenced object, as Command R and structured chat agents print it; Qwen-Agent writes `✿FUNCTION✿:` and `✿ARGS✿:`. */
export const REACT: Family = {
  name: 'ReAct, Command R, Qwen-Agent',
  openers: ['Action:', 'Action :', '**Action:**', '**Action**:', '✿FUNCTION✿:'],
  startsLine: true,
  read(source, at, opener) {
    const after = at + (matchAt(OPENER, source.text, at)?.[0].length ?? opener.length)
    const reading = readAction(source, after, at)
    if (typeof reading === 'string' || reading.calls.length === 0) return reading
    // The observation is the runtime's to give: what the model wrote in its place, and after it, is made up.
    const isMadeUp = matchAt(OBSERVATION, source.text, reading.end) !== undefined
    return isMadeUp ? { ...reading, end: source.text.length, repairs: [MADE_UP] } : reading
  },
}

const MADE_UP = 'Dropped an observation that the model made up after its call, and what followed it.'

function readAction(source: Source, at: number, start: number): MarkupReading {
  const { text, tools } = source
  const name = matchAt(NAME, text, at)
  if (name === undefined) return readBody(source, at, { closers: [] })
  const input = matchAt(INPUT, text, at + name[0].length)
  const isKnown = tools.find(name[1] ?? '') !== undefined
  if (input === undefined) return isKnown && text.length - (at + name[0].length) < 15 ? 'cut' : 'none'
  const open = at + name[0].length + input[0].length
  const call = { name: name[1] ?? '', start }
  if (skipSpace(text, open) >= text.length && isKnown) return 'cut'
  const nothing = matchAt(NOTHING, text, open)?.[0]
  if (nothing !== undefined)
    return { calls: [{ ...call, arguments: {}, end: open + nothing.length }], end: open + nothing.length }
  const isObject = text[open] === '{' || text.startsWith('```', open)
  const read = isObject ? readArgumentsAfter(text, open, call) : 'none'
  return typeof read === 'string' ? read : { calls: read.value.calls, end: read.end }
}
