import type { Family } from './family.ts'
import { readXmlCall } from './read-xml-call.ts'

/** Calls whose wrapper is missing: `<function=…>` of Qwen3-Coder and Llama 3.1, `<invoke …>` of Claude and MiniMax. */
export const XML: Family = {
  name: 'Qwen3-Coder, Claude',
  openers: [
    '<function=',
    '<invoke>',
    '<function name=',
    '<invoke name=',
    '<antml:invoke name=',
    '<steptml:invoke name=',
    '<｜DSML｜invoke name=',
    '<|DSML|invoke name=',
  ],
  read(source, at) {
    const call = readXmlCall(source, at)
    return typeof call === 'string' ? call : { calls: [call.value], end: call.end }
  },
}
