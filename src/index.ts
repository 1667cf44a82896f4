export type { PlanRequest } from './agent/plans/actions.ts'
export type { RunEnd } from './agent/run/run-session.ts'
export type { WhyCause, WhyFinding } from './agent/why/finding.ts'
export type { ToolQuestion } from './app/agent/explain-tool.ts'
export type { ForkOptions } from './app/agent/fork-session.ts'
export type { HomeSessions } from './app/agent/home-sessions.ts'
export type { RewindOptions, Rewound } from './app/agent/rewind-session.ts'
export type { SessionHit } from './app/agent/search-sessions.ts'
export type { SentMessage } from './app/agent/send-message.ts'
export type { ResumeOptions, SendOptions } from './app/agent/send-options.ts'
export type { CallFunction } from './app/calls/call-function.ts'
export type { CallerOptions, CallOptions, CheckOptions, StartedCall } from './app/calls/call-starter.ts'
export type { OrderOutcome, RunningCallOrders } from './app/calls/order-calls.ts'
export { createHost, type HostOptions } from './app/create-host.ts'
export type { Home } from './app/home.ts'
export type { HomeOptions, LogReader } from './app/home-options.ts'
export type { Host } from './app/host.ts'
export type { McpServers, TestedServer, TryOptions } from './app/mcp/mcp-servers.ts'
export type { ChosenModel, ListedModel, ModelOpenOptions, Models, NewModel, Probe } from './app/models/models.ts'
export type { ListedToolFolder, ToolFolders } from './app/open/managed-folders.ts'
export type { ManagedRules } from './app/open/managed-rules.ts'
export { openHome } from './app/open-home.ts'
export type { Finding } from './app/overview/examine.ts'
export type { SettingOrigin } from './app/overview/setting-origins.ts'
export type { ShownModel, ShownSettings } from './app/overview/shown-settings.ts'
export type { FolderListing, KnownWorkspace } from './app/overview/workspaces.ts'
export type { PlanCaller, PlanFilter, PlanOrder, PlanRecord, PlanStart, Plans, StartedPlan } from './app/plans/plans.ts'
export type { ReplayChange, ReplayOptions, ReplayReport } from './app/replay.ts'
export type { Session, SessionCaller, SessionCallOptions, SessionOptions } from './app/sessions/session.ts'
export type { Undo } from './app/undo.ts'
export type { ConfirmWorkspace } from './app/workspace.ts'
export type { AgentOrder, AgentRecord, AgentState, Agents } from './core/agents/agents.ts'
export type { ApprovalChecks, ApprovalRequest, Approver, CheckArguments, Reply } from './core/approval/approval.ts'
export type { AcceptedAnswer, ApprovalQueue, OpenRequest, RequestListener } from './core/approval/approval-queue.ts'
export type { ApprovalAnswer, ApprovalRecord, KeptRequest } from './core/approval/approval-record.ts'
export type { CallSummary, SummaryCommand, SummaryKind, SummaryRow } from './core/approval/call-summary.ts'
export type { Grant, GrantChoice, GrantLimits, GrantOffer, GrantScope } from './core/approval/grant.ts'
export type { ValidCall } from './core/call/call.ts'
export type { CallRecord } from './core/call/call-record.ts'
export type { CheckReport } from './core/call/check-report.ts'
export { ERROR_CODES, type ErrorCode, type Outcome } from './core/call/codes.ts'
export type { LastChange, UnkeptCall } from './core/call/last-change.ts'
export {
  type Answer,
  answer,
  type Failure,
  type FailureExtras,
  type Result,
  type Success,
  type TextPart,
  ToolError,
} from './core/call/result.ts'
export {
  type CopilotResult,
  type ToolResult,
  toCopilotResult,
  toToolResult,
  toValueResult,
  type ValueResult,
} from './core/call/result-forms.ts'
export type { TaskRecord, TaskReport, TaskState, Tasks, TaskWait } from './core/call/task.ts'
export type { InputAnswer, InputQuestion, InputQueue, OpenInput } from './core/input/input.ts'
export type { ChangedTool, ListedMcpServer, McpState, McpStatus } from './core/mcp/listed-server.ts'
export type { LocalMcpServer, McpOAuth, McpServerSettings, RemoteMcpServer } from './core/mcp/mcp-settings.ts'
export type { ModelPrice, ModelProvider, ModelSettings } from './core/model-settings.ts'
export type { CheckedPlan, Plan, PlanJob, PlanLimits } from './core/plans/plan.ts'
export type { PauseReason, PlanAction, PlanEvent, PlanSource } from './core/plans/plan-event.ts'
export type { IterationView, JobView, PlanState, PlanView } from './core/plans/plan-view.ts'
export type { Proposals } from './core/plans/proposals.ts'
export type { ApprovalStore, StoredAnswer } from './core/ports/approval-store.ts'
export type { CodeFindings, CodeHit, CodeQuery, CodeSearch } from './core/ports/developer/code-search.ts'
export type { EditChecks } from './core/ports/developer/edit-checks.ts'
export type { Machine, ProcessFacts, PushOrder, PushReport } from './core/ports/developer/machine.ts'
export type {
  FileContent,
  FileEntry,
  FileFacts,
  FileLines,
  Files,
  FileText,
  FileType,
  Kept,
  KnownStates,
  Listing,
  ReadFiles,
  Replaced,
  RestoredEntry,
  StateOf,
  Target,
  TextHit,
  TextQuery,
  WalkOptions,
} from './core/ports/files.ts'
export type { Connection, FoundPage, Http, HttpRequest, HttpResponse } from './core/ports/http.ts'
export type { Claimed, Leases } from './core/ports/leases.ts'
export type { Ledger, LedgerEntry } from './core/ports/ledger.ts'
export type { CallFilter, EventFilter, FollowOptions, Log, MessageHit, SessionFilter } from './core/ports/log.ts'
export {
  type Model,
  type ModelAbilities,
  type ModelCall,
  ModelError,
  type ModelMessage,
  type ModelPart,
  type ModelReply,
  type ModelRequest,
  type ToolDefinition,
  type ToolResultMessage,
} from './core/ports/model.ts'
export type { OutputStore } from './core/ports/output-store.ts'
export type { OutputPart, Outputs } from './core/ports/outputs.ts'
export type { PathLock, PathLocks } from './core/ports/path-locks.ts'
export type { KnownPaths, PathKind } from './core/ports/path-lookup.ts'
export type {
  ChangedFiles,
  OutputStream,
  PendingChanges,
  PendingChoice,
  PendingFile,
  PendingRun,
  ProgramOrder,
  ReviewedChange,
  RunChange,
  RunEnding,
  RunLimits,
  RunMode,
  RunNetwork,
  RunningProgram,
  RunOrder,
  RunOwner,
  RunReport,
  RunVerdict,
  Sandbox,
  SandboxFinding,
  Settler,
} from './core/ports/sandbox.ts'
export type { Storage } from './core/ports/storage.ts'
export type { Loaded, LoadedTool, ToolSource } from './core/ports/tool-source.ts'
export type { ChangeFilter, KeptReplaced, UndoMark, UndoStore, UnkeptChange } from './core/ports/undo-store.ts'
export type {
  ChangeVerdict,
  Decision,
  Layer,
  Opinion,
  RanCall,
  RealChange,
  Rule,
  RuleInForce,
} from './core/rules/rule.ts'
export type { Loss, TargetName } from './core/schema-targets/target.ts'
export { drawSession } from './core/session/draw-session.ts'
export type { CommittedEvent, Event, EventBody, Listener, Usage } from './core/session/event.ts'
export type { Attachment, Message, MessageCall } from './core/session/message.ts'
export type { Mode } from './core/session/mode.ts'
export type { RunEndReason } from './core/session/run-end-reason.ts'
export type {
  SessionChange,
  SessionRecord,
  SessionStart,
  SessionState,
  SessionSummary,
} from './core/session/session-record.ts'
export type {
  ApprovalView,
  CallItem,
  MessageItem,
  NoteItem,
  RequestView,
  SessionItem,
  SessionView,
} from './core/session/session-view.ts'
export type { Todo } from './core/session/todo.ts'
export type { JsonSchema } from './core/text/json.ts'
export type { Alias } from './core/tool/alias.ts'
export type { FoundTool, PrepareContext, ToolContext } from './core/tool/context.ts'
export type {
  DelegateAnswer,
  DelegateAsker,
  DelegateEffect,
  DelegateHandler,
  DelegateQueue,
  OpenDelegate,
  OpenEffect,
} from './core/tool/delegate.ts'
export {
  type AnyStep,
  type Cleanup,
  type Delegated,
  delegate,
  fail,
  type Handed,
  type Next,
  next,
  type Output,
  output,
  type Pipeline,
  pipeline,
  type Step,
  type StepAnswer,
  type Steps,
} from './core/tool/pipeline.ts'
export type { Prepared, Preview } from './core/tool/prepared.ts'
export {
  type AnySchema,
  array,
  boolean,
  integer,
  type NumberLimits,
  number,
  type OptionalSchema,
  objectSchema,
  oneOf,
  optional,
  record,
  type Schema,
  type SchemaInput,
  type SchemaOutput,
  type Shape,
  type ShapeType,
  string,
  type TextLimits,
} from './core/tool/schema.ts'
export type {
  Checked,
  DefinitionFormat,
  Issue,
  Origin,
  RegisteredTool,
  Skipped,
  Snapshot,
} from './core/tool/snapshot.ts'
export {
  type DefinedTool,
  defineTool,
  type Effect,
  type Tool,
  type ToolInput,
  type ToolOutput,
  type ToolSpec,
} from './core/tool/tool.ts'
export {
  connects,
  deletes,
  type NamedTouch,
  type RunOptions,
  reads,
  runs,
  type Touch,
  writes,
} from './core/tool/touch.ts'
export type { Network } from './http/network.ts'
export { type AiSdkLanguageModel, type AiSdkModelOptions, fromAiSdk } from './models/from-ai-sdk.ts'
export type { JudgedCall, Replayed } from './pipeline/judge/replay-call.ts'
export type { ExampleReport } from './pipeline/judge/test-example.ts'
export type { OpenAIFunction } from './registry/definitions.ts'
export type { ExportAsOptions, ExportFormat } from './registry/export/export-as.ts'
export type { ExportedTools, ToolReport, ToolsOf } from './registry/export/export-tools.ts'
export {
  type AiSdkCall,
  type AiSdkContent,
  type AiSdkModelOutput,
  type AiSdkOptions,
  type AiSdkTool,
  toAiSdk,
} from './registry/export/to-ai-sdk.ts'
export { type AnthropicTool, toAnthropic } from './registry/export/to-anthropic.ts'
export {
  type CopilotOptions,
  type CopilotTool,
  type CopilotToolResult,
  toCopilot,
} from './registry/export/to-copilot.ts'
export { type GeminiFunction, type GeminiTool, toGemini } from './registry/export/to-gemini.ts'
export { type McpAnnotations, type McpTool, toMcp } from './registry/export/to-mcp.ts'
export { type OllamaTool, toOllama } from './registry/export/to-ollama.ts'
export { type OpenAIOptions, type OpenAITool, toOpenAI } from './registry/export/to-openai.ts'
export type { ExportedCallOptions, ToolCaller } from './registry/export/tool-caller.ts'
export type { Registry } from './registry/registry.ts'
export type { RegisterOptions } from './registry/tool-table.ts'
export type { SettingsPath } from './settings/check-value.ts'
export type { SeenProject } from './settings/diff-project.ts'
export type { Project } from './settings/project.ts'
export type { SettingsFile } from './settings/read-settings.ts'
export type { SettledRule, ToolFilter } from './settings/rule-settings.ts'
export type {
  ApprovalSettings,
  CodeSettings,
  CommandSettings,
  GivenSettings,
  LogSettings,
  RunSettings,
  SandboxSettings,
  ServerSettings,
  Settings,
  WebSettings,
} from './settings/settings.ts'
