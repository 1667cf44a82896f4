import { isRecord } from '../../../core/text/json.ts'
import type { ShapedCall } from '../calls/shape-calls.ts'
import type { Family } from './family.ts'
import { type Body, readBody } from './read-body.ts'

/** A family whose calls stand between an opening and a closing marker. */
interface Tag extends Body {
  readonly name: string
  readonly openers: readonly string[]
}

/** Families that differ in their markers alone. */
const TAGS: readonly Tag[] = [
  {
    name: 'Hermes, Qwen, GLM',
    openers: ['<tool_call>'],
    closers: ['</tool_call>', '</tool_calls>', '<|/tool_call|>', '<|tool_call_end|>'],
    mayBeNameOnly: true,
    wrappers: ['<tool_call>', '<tool_calls>'],
  },
  {
    name: 'Jamba, Hunyuan, MiniMax M1',
    openers: ['<tool_calls>'],
    closers: ['</tool_calls>', '</tool_call>'],
    wrappers: ['<tool_call>'],
  },
  {
    name: 'Granite, Phi-4',
    openers: ['<|tool_call|>', '<|tool_calls|>'],
    closers: ['<|/tool_call|>', '<|/tool_calls|>', '</tool_call>'],
    wrappers: ['<|tool_call|>'],
  },
  {
    name: 'Granite 20B, Glaive, GigaChat',
    openers: ['<function_call>', '<functioncall>', '<|function_call|>', 'function call<|role_sep|>'],
    closers: ['</function_call>', '</functioncall>', '<|/function_call|>'],
  },
  { name: 'Nemotron', openers: ['<TOOLCALL>', '<TOOL_CALL>'], closers: ['</TOOLCALL>', '</TOOL_CALL>'] },
  {
    name: 'InternLM',
    openers: ['<|action_start|>'],
    closers: ['<|action_end|>'],
    wrappers: ['<|plugin|>', '<|interpreter|>'],
  },
  { name: 'Command A, Command R7B', openers: ['<|START_ACTION|>'], closers: ['<|END_ACTION|>'] },
  { name: 'Apertus', openers: ['<|tools_prefix|>'], closers: ['<|tools_suffix|>'], shape: shapeKeyed },
  { name: 'Phi-4 mini', openers: ['functools['], closers: [] },
  { name: 'Llama 3', openers: ['<|python_tag|>'], closers: ['<|eom_id|>', '<|eot_id|>'] },
  { name: 'Llama 4', openers: ['<|python_start|>'], closers: ['<|python_end|>'] },
  {
    name: 'OLMo, Claude',
    openers: ['<function_calls>', '<antml:function_calls>'],
    closers: ['</function_calls>', '</antml:function_calls>'],
  },
  { name: 'LFM2', openers: ['<|tool_call_start|>'], closers: ['<|tool_call_end|>'] },
  { name: 'MiniMax M2', openers: ['<minimax:tool_call>'], closers: ['</minimax:tool_call>'] },
  { name: 'Seed-OSS', openers: ['<seed:tool_call>'], closers: ['</seed:tool_call>'] },
  { name: 'LongCat', openers: ['<longcat_tool_call>'], closers: ['</longcat_tool_call>'], mayBeNameOnly: true },
  {
    name: 'Step-3',
    openers: ['<steptml:toolcall>', '<steptml:tool_call>'],
    closers: ['</steptml:toolcall>', '</steptml:tool_call>'],
  },
  { name: 'LM Studio', openers: ['[TOOL_REQUEST]'], closers: ['[END_TOOL_REQUEST]'] },
  { name: 'Tool use tag', openers: ['<tool_use>', '<tool_code>'], closers: ['</tool_use>', '</tool_code>'] },
  {
    name: 'DeepSeek V3.2',
    openers: ['<｜DSML｜function_calls>', '<|DSML|function_calls>', '<｜DSML｜tool_calls>', '<|DSML|tool_calls>'],
    closers: ['</｜DSML｜function_calls>', '</|DSML|function_calls>', '</｜DSML｜tool_calls>', '</|DSML|tool_calls>'],
  },
]

export const TAGGED: readonly Family[] = TAGS.map((tag) => ({
  name: tag.name,
  openers: tag.openers,
  read(source, at, opener) {
    // `functools[` is a marker and the beginning of its list at once.
    const start = at + opener.length - (opener.endsWith('[') ? 1 : 0)
    return readBody(source, start, tag)
  },
}))

/** The end markers of all families; one that is left over after a call is dropped. */
export const CLOSERS: readonly string[] = [
  ...new Set(TAGS.flatMap(({ closers }) => closers)),
  '</function>',
  '</invoke>',
]

/** Reads `[{"read_file": {…}}]`, where the key is the name. */
function shapeKeyed(value: unknown): readonly ShapedCall[] | undefined {
  if (!isRecord(value)) return undefined
  const calls = Object.entries(value).map(([name, given]) => (isRecord(given) ? { name, arguments: given } : undefined))
  return calls.every((call) => call !== undefined) ? calls : undefined
}
