export type { CallerOptions, CallOptions, CheckOptions, StartedCall } from './app/call-starter.ts'
export { createHost, type HostOptions } from './app/create-host.ts'
export { type Home, type HomeOptions, type LogReader, openHome } from './app/home.ts'
export type { Host } from './app/host.ts'
export type { Session, SessionCaller, SessionCallOptions, SessionOptions } from './app/session.ts'
export type { Undo } from './app/undo.ts'
export type { Alias } from './core/alias.ts'
export type { ApprovalQueue, OpenQuestion, QuestionListener, Taken } from './core/approval-queue.ts'
export type { ApprovalAnswer, ApprovalRecord, KeptQuestion } from './core/approval-record.ts'
export type { Approver, CheckArguments, Question, Reply, Trials } from './core/approvals.ts'
export type { ValidCall } from './core/call.ts'
export type { CallRecord } from './core/call-record.ts'
export type { CheckReport } from './core/check-report.ts'
export { ERROR_CODES, type ErrorCode } from './core/codes.ts'
export type { PrepareContext, ToolContext } from './core/context.ts'
export type { DelegateAnswer, DelegateAsker, DelegateEffect, DelegateHandler } from './core/delegate.ts'
export {
  type ApprovalView,
  type CallItem,
  drawSession,
  type MessageItem,
  type NoteItem,
  type RequestView,
  type SessionItem,
  type SessionView,
} from './core/draw-session.ts'
export type { CommittedEvent, Event, EventBody, Listener, RunEndReason, Todo, Usage } from './core/event.ts'
export type { Grant, GrantLimits, GrantOffer, GrantScope, GrantWish } from './core/grant.ts'
export type { JsonSchema } from './core/json.ts'
export type { LastChange, UnkeptCall } from './core/last-change.ts'
export type { Attachment, Message, MessageCall } from './core/message.ts'
export type { Mode } from './core/mode.ts'
export type { OutputPart, Outputs } from './core/outputs.ts'
export { delegate, fail, next, output, type Pipeline, type Plan, pipeline } from './core/pipeline.ts'
export type { ApprovalStore } from './core/ports/approval-store.ts'
export type { Claimed, Leases } from './core/ports/leases.ts'
export type { Ledger, LedgerEntry } from './core/ports/ledger.ts'
export type { CallFilter, EventFilter, FollowOptions, Log, SessionFilter } from './core/ports/log.ts'
export type { OutputStore } from './core/ports/output-store.ts'
export type { PathLock, PathLocks } from './core/ports/path-locks.ts'
export type { Storage } from './core/ports/storage.ts'
export type { Loaded, LoadedTool, ToolSource } from './core/ports/tool-source.ts'
export type { ChangeFilter, KeptReplaced, UndoMark, UndoStore, UnkeptChange } from './core/ports/undo-store.ts'
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
export type {
  ProgramOrder,
  RunningProgram,
  RunOrder,
  RunReport,
  Sandbox,
  SandboxFinding,
} from './core/sandbox.ts'
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
export type { SessionChange, SessionRecord, SessionStart } from './core/session-record.ts'
export type { Origin, RegisteredTool, Skipped, Snapshot } from './core/snapshot.ts'
export type { TaskRecord, TaskReport, TaskState, Tasks, TaskWait } from './core/task.ts'
export { type DefinedTool, defineTool, type Effect, type Prepared, type Preview, type Tool } from './core/tool.ts'
export { dials, reads, runs, type Touch, writes } from './core/touch.ts'
export type { OpenAIFunction } from './registry/definitions.ts'
export type { Registry } from './registry/registry.ts'
