import type { Result } from '../../core/call/result.ts'
import type { CallItem, MessageItem, SessionItem, SessionView } from '../../core/session/session-view.ts'

/** Returns a session as Markdown, for people: messages as they are, each call with its arguments and result. */
export function sessionMarkdown(view: SessionView): string {
  const { session, title, workspace, model, mode, usage, items } = view
  const facts = [
    ...[`Session: ${code(session)}`, `Workspace: ${code(workspace ?? 'unknown')}`],
    ...(model === undefined ? [] : [`Model: ${code(model)}`]),
    ...(mode === undefined ? [] : [`Mode: ${mode}`]),
    ...(usage.input + usage.output === 0 ? [] : [`Tokens: ${usage.input} in, ${usage.output} out`]),
  ]
  const parts = items.flatMap(itemParts)
  return `${[`# ${oneLine(title ?? firstLine(items))}`, facts.map((fact) => `- ${fact}`).join('\n'), ...parts].join('\n\n')}\n`
}

function firstLine(items: readonly SessionItem[]): string {
  const first = items.find((item): item is MessageItem => item.kind === 'message' && item.role === 'user')
  return first?.content.trim().split('\n')[0]?.slice(0, 80) || 'Session'
}

function itemParts(item: SessionItem): string[] {
  if (item.kind === 'message') return messageParts(item)
  if (item.kind === 'call') return callParts(item)
  const { event } = item
  if (event.type !== 'run-end') return []
  const text = event.reason === 'reply' ? '' : (event.summary ?? '')
  return [...(text === '' ? [] : [text]), `*Run ended: ${event.reason}, ${event.steps} steps.*`]
}

function messageParts({ role, at, content, reasoning, attachments, isNotice }: MessageItem): string[] {
  if (role === 'system') return []
  const author = isNotice ? 'Haft to the model' : role === 'user' ? 'User' : 'Assistant'
  const head = `## ${author}, ${new Date(at).toISOString()}`
  const thought = reasoning.trim() === '' ? [] : [details('Reasoning', reasoning)]
  const files = attachments.map(({ name, mediaType }) => `Attached: ${code(name)} (${mediaType})`)
  return [head, ...thought, ...(content.trim() === '' ? [] : [content.trim()]), ...files]
}

function callParts({ name, arguments: args, result, clearedBy, approvals }: CallItem): string[] {
  const given = typeof args === 'string' ? prettyJson(args) : JSON.stringify(args, null, 2)
  const answers = approvals.flatMap(({ answer }) =>
    answer
      ? [`${answer.approved ? 'Approved' : 'Denied'} by ${answer.by}${answer.reason ? `: ${answer.reason}` : ''}.`]
      : [],
  )
  const allowed = clearedBy === undefined || answers.length > 0 ? [] : [`Allowed by ${clearedBy}.`]
  return [`### Call: ${code(name)}`, fence(given, 'json'), ...answers, ...allowed, ...resultParts(result)]
}

/** Arguments that a model sent as text, laid out where they are JSON. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function resultParts(result: Result | undefined): string[] {
  if (result === undefined) return ['No result.']
  return [...(result.ok ? [] : [`Failed: ${code(result.code)}`]), fence(result.text)]
}

function details(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${fence(text.trim())}\n\n</details>`
}

/** A code block whose fence is longer than any inside it, so that nothing in the text ends it. */
function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}${language}\n${text.replace(/\n$/, '')}\n${marks}`
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
