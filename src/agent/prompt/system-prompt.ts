import type { Mode } from '../../core/session/mode.ts'

/** What the system prompt says beside how tools behave. */
export interface PromptParts {
  readonly workspace: string
  /** The operating system, in words. */
  readonly platform: string
  readonly mode: Mode
  /** False for a selection without tools. */
  readonly hasTools: boolean
  /** Files of instructions, such as AGENTS.md: the person's first, the nearest to the workspace last. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[]
}

const MODES: Readonly<Record<Mode, string>> = {
  plan: 'You are planning: look and read only. Calls that would change anything are denied. Answer with a plan.',
  ask: 'Changing or deleting existing files, and reaching the network, may ask the user first.',
  review: 'Commands run on a copy of the workspace; the user approves what they changed before it is applied.',
  edit: 'Changes in the workspace that can be undone run without asking.',
  auto: 'Calls run without asking the user, unless a rule of theirs asks or denies.',
}

/** Makes the system prompt of a session. */
export function makeSystemPrompt({ workspace, platform, mode, hasTools, instructions }: PromptParts): string {
  const tools = hasTools
    ? `Use the tools to do the work rather than describing it. Paths are relative to the workspace. Read a file before you change it. A result that starts with a code in capitals is a failure: read it, fix the cause, and do not repeat the same call. BLOCKED and DENIED are final: find another way or ask the user. Commands run in a sandbox.
${MODES[mode]}
When the task is done, call task_complete with a short summary. If you only answer a question, just answer.`
    : 'You have no tools in this session: answer from what you know.'
  const files = instructions.map(({ path, text }) => `Instructions from ${path}:\n${text.trim()}`)
  return [`You work in the folder ${workspace} on ${platform}.`, tools, ...files].join('\n\n')
}
