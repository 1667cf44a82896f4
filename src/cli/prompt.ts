import { createInterface, type Interface } from 'node:readline'
import type { Approvals, Question, Reply } from '../core/approvals.ts'
import { isRecord } from '../core/json.ts'
import { messageOf } from '../core/result.ts'
import type { Preview } from '../core/tool.ts'
import { paintError } from './face.ts'

/** Asks in this terminal, on stderr so that stdout stays what it is; undefined where no person sits there. One question at a time. */
export function terminalPrompt(): Approvals | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask(question, signal) {
      const turn = last.then(() => askOnce(question, signal))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Asks a plain yes or no in this terminal; no where nobody sits there. */
export async function askYes(text: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  const answer = await ask(lines, {
    text: `${text} ${paintError('bold', '[y]es [n]o')} › `,
    signal: new AbortController().signal,
  })
  lines.close()
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}

async function askOnce(question: Question, signal: AbortSignal): Promise<Reply> {
  process.stderr.write(describeQuestion(question))
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  try {
    for (;;) {
      const answer = await ask(lines, { text: `${paintError('bold', '[y]es [n]o [e]dit')} › `, signal })
      if (answer === undefined) return { approved: false, reason: 'the question was left unanswered' }
      const reply = await understand(answer.trim().toLowerCase(), { lines, question, signal })
      if (reply !== undefined) return reply
    }
  } finally {
    lines.close()
  }
}

interface Talk {
  lines: Interface
  question: Question
  signal: AbortSignal
}

async function understand(word: string, talk: Talk): Promise<Reply | undefined> {
  if (word === 'y' || word === 'yes') return { approved: true }
  if (word === 'e' || word === 'edit') return editArguments(talk)
  if (word !== 'n' && word !== 'no') return undefined
  const reason = await ask(talk.lines, { text: 'Why not? (optional) › ', signal: talk.signal })
  return { approved: false, ...(reason?.trim() && { reason: reason.trim() }) }
}

async function editArguments({ lines, question, signal }: Talk): Promise<Reply | undefined> {
  let draft = JSON.stringify(question.arguments)
  for (;;) {
    const given = await ask(lines, { text: 'arguments › ', draft, signal })
    if (given === undefined || given.trim() === '') return undefined
    draft = given
    try {
      const modifiedArgs: unknown = JSON.parse(given)
      if (isRecord(modifiedArgs)) return { approved: true, modifiedArgs }
      process.stderr.write(`${paintError('red', 'expected a JSON object; an empty line goes back')}\n`)
    } catch (thrown) {
      process.stderr.write(`${paintError('red', `${messageOf(thrown)}; an empty line goes back`)}\n`)
    }
  }
}

/** One line from the person; undefined when they end the input, press Ctrl-C, or the call is cancelled. */
function ask(
  lines: Interface,
  { text, draft, signal }: { text: string; draft?: string; signal: AbortSignal },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = () => resolve(undefined)
    lines.once('close', end)
    lines.once('SIGINT', end)
    signal.addEventListener('abort', end, { once: true })
    lines.question(text, (answer) => {
      lines.off('close', end)
      lines.off('SIGINT', end)
      signal.removeEventListener('abort', end)
      resolve(answer)
    })
    if (draft) lines.write(draft)
  })
}

function describeQuestion({ tool, arguments: args, effects, rule, reason, preview }: Question): string {
  const lines = [
    `${paintError(['yellow', 'bold'], '?')} ${paintError('bold', tool)} wants to run: ${paintError('reset', reason)} ${paintError('dim', `(${rule})`)}`,
    ...effects.map((effect) => `  ${paintError('cyan', effect)}`),
    ...JSON.stringify(args, null, 2)
      .split('\n')
      .map((line) => `  ${paintError('dim', line)}`),
    ...(preview ? describePreview(preview) : []),
  ]
  return `${lines.join('\n')}\n`
}

function describePreview({ kind, text }: Preview): string[] {
  return text.split('\n').map((line) => {
    if (kind === 'diff' && line.startsWith('+')) return `  ${paintError('green', line)}`
    if (kind === 'diff' && line.startsWith('-')) return `  ${paintError('red', line)}`
    return `  ${paintError('reset', line)}`
  })
}
