import type { ModelCall, ModelRequest, ToolDefinition } from '../../core/ports/model.ts'
import type { DemoStep } from './command.ts'
import { readMessage, type Understood } from './commands.ts'
import { type Conversation, type DemoResult, readConversation, TASK_COMPLETE } from './conversation.ts'
import { sentence } from './say.ts'
import { greet, help, teachLength, teachMissing, teachUndo, teachUnknown } from './teach.ts'

/** What the model says and the calls it makes. */
export interface DemoReply {
  readonly text: string
  readonly calls: readonly ModelCall[]
}

/** Composes the reply to a request from the request alone. */
export function composeReply({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): DemoReply {
  const conversation = readConversation(messages)
  if (conversation.isComplete) return { text: 'That was all.', calls: [] }
  const understood = readMessage(conversation.message)
  const problem = findProblem(understood, tools)
  if (problem !== undefined) return { text: problem, calls: [] }
  if (understood.some(({ kind }) => kind === 'help')) return { text: help(), calls: [] }
  const steps = understood.flatMap((one) => (one.kind === 'step' ? [one.step] : []))
  return steps.length === 0 ? { text: greet(), calls: [] } : goOn(steps, conversation, tools)
}

/** Says why nothing is done: one command that cannot be done stops all of them before the first. */
function findProblem(understood: readonly Understood[], tools: readonly ToolDefinition[]): string | undefined {
  for (const one of understood) {
    if (one.kind === 'too-long') return teachLength()
    if (one.kind === 'undo') return teachUndo()
    if (one.kind === 'unknown') return teachUnknown(one.text, one.command)
    if (one.kind === 'step' && findTool(one.step, tools) === undefined)
      return teachMissing(
        one.step,
        tools.map(({ name }) => name),
      )
  }
  return undefined
}

function findTool({ tools }: DemoStep, offered: readonly ToolDefinition[]): ToolDefinition | undefined {
  return tools.map((name) => offered.find((tool) => tool.name === name)).find((tool) => tool !== undefined)
}

/** Reports on the last result, and makes the next call or ends. */
function goOn(
  steps: readonly DemoStep[],
  { results, callCount }: Conversation,
  tools: readonly ToolDefinition[],
): DemoReply {
  const done = Math.min(results.length, steps.length)
  const [last, result] = [steps[done - 1], results[done - 1]]
  const report = last && result ? describeResult(last, result) : ''
  const left = steps.length - done
  if (result?.failed !== undefined) return { text: join(report, describeRest(left)), calls: [] }
  const step = steps[done]
  const tool = step && findTool(step, tools)
  if (step && tool) {
    const call = { id: `demo-${callCount + 1}`, name: tool.name, arguments: step.argumentsFor(tool) }
    return { text: join(report, `I will ${step.intent}.`), calls: [call] }
  }
  return finish(steps, { report, callCount }, tools)
}

function describeResult(step: DemoStep, { content, failed }: DemoResult): string {
  if (failed === undefined) return step.report(content)
  if (failed === 'DENIED') return `I was not allowed to ${step.intent}: ${sentence(content)}`
  if (failed === 'BLOCKED') return `A rule stops me from doing that: ${sentence(content)}`
  return `That did not work: ${sentence(content)}`
}

function describeRest(left: number): string {
  if (left === 0) return ''
  return left === 1
    ? 'I leave out the command that was to follow.'
    : `I leave out the ${left} commands that were to follow.`
}

function finish(
  steps: readonly DemoStep[],
  { report, callCount }: { readonly report: string; readonly callCount: number },
  tools: readonly ToolDefinition[],
): DemoReply {
  // After one command the report says it all; a summary would say it twice.
  if (steps.length === 1 || !tools.some(({ name }) => name === TASK_COMPLETE))
    return { text: report.trimEnd(), calls: [] }
  const summary = sentence(capitalise(steps.map(({ done }) => done).join(', then ')))
  const call = { id: `demo-${callCount + 1}`, name: TASK_COMPLETE, arguments: { summary } }
  return { text: report.trimEnd(), calls: [call] }
}

/** Joins sentences; what follows a block begins a paragraph. */
function join(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .reduce((text, part) => `${text}${text.endsWith('`\n') ? '\n' : text === '' ? '' : ' '}${part}`, '')
    .trimEnd()
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
