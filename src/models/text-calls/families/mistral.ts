import type { Family } from './family.ts'
import { readBody } from './read-body.ts'

/** Mistral: `[TOOL_CALLS] [{…}]`, and since 2025 `[TOOL_CALLS]name{…}` or `[TOOL_CALLS]name[CALL_ID]id[ARGS]{…}` for each call. */
export const MISTRAL: Family = {
  name: 'Mistral',
  openers: ['[TOOL_CALLS]'],
  read: (source, at, opener) =>
    readBody(source, at + opener.length, { closers: ['[/TOOL_CALLS]', '</s>'], wrappers: ['[TOOL_CALLS]'] }),
}
