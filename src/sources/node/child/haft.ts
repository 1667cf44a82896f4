// What `import … from 'haft'` means in a tool file: the names that authors of tools need. Opening hosts is left out, since
// loading all of Haft takes ten times as long as loading these.
export { ERROR_CODES } from '../../../core/codes.ts'
export { delegate, fail, next, output, pipeline } from '../../../core/pipeline.ts'
export { answer, ToolError } from '../../../core/result.ts'
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
} from '../../../core/schema.ts'
export { defineTool } from '../../../core/tool.ts'
export { dials, reads, runs, writes } from '../../../core/touch.ts'
