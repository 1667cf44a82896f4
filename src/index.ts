export type { Alias } from './core/alias.ts'
export type { ApprovalDesk, OpenQuestion, QuestionListener, Taken } from './core/approval-desk.ts'
export type { ApprovalAnswer } from './core/approval-record.ts'
export type { Approvals, CheckArguments, Question, Reply, Trials } from './core/approvals.ts'
export type { ValidCall } from './core/call.ts'
export type { CallRecord } from './core/call-record.ts'
export type { CheckReport } from './core/check-report.ts'
export { ERROR_CODES, type ErrorCode } from './core/codes.ts'
export type { PrepareContext, ToolContext } from './core/context.ts'
export type { DelegateAnswer, DelegateAsker, DelegateEffect, DelegateHandler } from './core/delegate.ts'
export type { Event, Listener } from './core/event.ts'
export type { Grant, GrantLimits, GrantOffer, GrantScope, GrantWish } from './core/grant.ts'
export type { JsonSchema } from './core/json.ts'
export type { Outputs } from './core/outputs.ts'
export { delegate, fail, next, output, type Pipeline, type Plan, pipeline } from './core/pipeline.ts'
export {
  type Answer,
  answer,
  type Failure,
  type Result,
  type Success,
  type TextPart,
  ToolError,
} from './core/result.ts'
export {
  type CopilotResult,
  type ToolResult,
  toCopilotResult,
  toToolResult,
  toValueResult,
  type ValueResult,
} from './core/result-forms.ts'
export type { Decision, Opinion, Rule } from './core/rule.ts'
export type { RunOrder, RunReport, Sandbox, SandboxFinding } from './core/sandbox.ts'
export {
  array,
  boolean,
  integer,
  number,
  objectSchema,
  oneOf,
  optional,
  record,
  type Schema,
  type SchemaInput,
  type SchemaOutput,
  string,
} from './core/schema.ts'
export type { Origin, RegisteredTool, Skipped, Snapshot } from './core/snapshot.ts'
export type { TaskRecord, TaskReport, TaskState, Tasks, TaskWait } from './core/task.ts'
export { type DefinedTool, defineTool, type Effect, type Prepared, type Preview, type Tool } from './core/tool.ts'
export { dials, reads, runs, type Touch, writes } from './core/touch.ts'
export type { LastChange, UnkeptCall } from './core/undo-store.ts'
export { type CallOptions, createHost, type Host, type HostOptions } from './host.ts'
export type { OpenAIFunction } from './registry/definitions.ts'
export type { Registry } from './registry/registry.ts'
