// What `import … from 'haft'` means in a tool file: the names that authors of tools need. Opening hosts is left out, since
// loading all of Haft takes ten times as long as loading these.
export { ERROR_CODES } from '../../../core/call/codes.ts'
export { answer, ToolError } from '../../../core/call/result.ts'
export { delegate, fail, next, output, pipeline } from '../../../core/tool/pipeline.ts'
export {
  array,
  boolean,
  integer,
  number,
  objectSchema,
  oneOf,
  optional,
  record,
  string,
} from '../../../core/tool/schema.ts'
export { defineTool } from '../../../core/tool/tool.ts'
export { connects, reads, runs, writes } from '../../../core/tool/touch.ts'
