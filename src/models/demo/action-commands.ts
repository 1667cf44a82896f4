import { type DemoCommand, type DemoStep, makeStep } from './command.ts'
import { listParameter, textParameter } from './parameters.ts'
import { count, linesOf, nameSome, quote, sentence, showLines } from './say.ts'
import { pattern, unescapeText, unquote, WORD, withoutStop } from './words.ts'

const run: DemoCommand = {
  verbs: ['run', '$', '!', 'git'],
  form: 'run COMMAND',
  does: 'runs a shell command in the sandbox; "git …" works without "run"; "… in background" makes it a task',
  example: 'run ls -la | head -5',
  read(rest, verb) {
    const [line = '', isBackground] = splitBackground(rest)
    const given = unquote(line)
    const command = verb === 'git' ? `git ${given}`.trim() : given
    if (command === '') return undefined
    if (isBackground) {
      const words = {
        intent: `start \`${command}\` in the background`,
        done: `started \`${command}\``,
        report: sentence,
      }
      return makeStep('shell', { command, background: true }, words)
    }
    const words = { intent: `run \`${command}\``, done: `ran \`${command}\``, report: describeOutput }
    return makeStep('shell', { command }, words)
  },
}

/** Splits the words that ask for a background task off a command line. */
function splitBackground(rest: string): readonly [string, boolean] {
  const command = rest.replace(/\s+in (?:the )?background[.!]?$/i, '')
  return [command, command !== rest]
}

const python: DemoCommand = {
  verbs: ['python'],
  form: 'python CODE',
  does: 'runs Python code in the sandbox',
  example: 'python print(6 * 7)',
  read(rest) {
    const code = unescapeText(rest)
    if (code === '') return undefined
    const words = { intent: 'run that Python code', done: 'ran Python code', report: describeOutput }
    return makeStep('run_code', { language: 'python', code }, words)
  },
}

function describeOutput(content: string): string {
  const exit = /^\[exit code (\d+)\]$/m.exec(content)?.[1]
  const lines = linesOf(content).filter((line) => !/^\[.*\]$/.test(line))
  const ending = exit === undefined ? '' : ` It ended with exit code ${exit}, so something went wrong in it.`
  const [first] = lines
  if (first === undefined) return `It ran and printed nothing.${ending}`
  return lines.length === 1
    ? `It printed ${quote(first)}.${ending}`
    : `It printed ${count(lines.length, 'line')}; the last says ${quote(lines.at(-1) ?? '')}.${ending}`
}

/** How many lines of a page are shown. */
const SHOWN_LINES = 8

const FETCH = pattern(`(?:(?:the|page|url|site) )*(${WORD})`)
const fetch: DemoCommand = {
  verbs: ['fetch', 'download'],
  form: 'fetch URL',
  does: 'fetches a page from the web',
  example: 'fetch https://example.com',
  read(rest) {
    const [, target] = FETCH.exec(withoutStop(rest)) ?? []
    if (target === undefined) return undefined
    const address = unquote(target)
    const url = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
    return {
      tools: ['web_fetch'],
      argumentsFor: textParameter(url, ['url']),
      intent: `fetch ${url}`,
      done: `fetched ${url}`,
      report: (content) =>
        `${url} answered with ${count(content.length, 'character')}:${showLines(linesOf(content), SHOWN_LINES)}`,
    }
  },
}

const open: DemoCommand = {
  verbs: ['open'],
  form: 'open FILE',
  does: 'opens a file in your editor',
  example: 'open README.md',
  read(rest) {
    const [, target] = pattern(`(?:(?:the|file) )*(${WORD})`).exec(withoutStop(rest)) ?? []
    if (target === undefined) return undefined
    const path = unquote(target)
    const words = { intent: `open \`${path}\` in your editor`, done: `opened \`${path}\``, report: sentence }
    return makeStep('open_file', { path }, words)
  },
}

const ask: DemoCommand = {
  verbs: ['ask'],
  form: 'ask me QUESTION',
  does: 'asks you something and waits for the answer',
  example: 'ask me which file to read',
  read(rest) {
    const [, question] = pattern(`me[:,]? (.+)`).exec(rest.trim()) ?? []
    if (question === undefined) return undefined
    const text = unquote(question)
    return {
      tools: ['ask_user'],
      argumentsFor: textParameter(text, ['question', 'prompt', 'message']),
      intent: 'ask you',
      done: 'asked you a question',
      report: (content) => `You answered ${quote(content)}.`,
    }
  },
}

const plan: DemoCommand = {
  verbs: ['plan'],
  form: 'plan STEP, STEP, STEP',
  does: 'writes a list of things to do',
  example: 'plan read the docs, write a test, fix the bug',
  read(rest): DemoStep | undefined {
    const steps = withoutStop(rest)
      .replace(/^:/, '')
      .split(/\s*(?:[,;]|\band\b)\s*/)
      .map(unquote)
      .filter((step) => step !== '')
    if (steps.length === 0) return undefined
    return {
      tools: ['update_todos', 'propose_plan'],
      argumentsFor: listParameter(steps),
      intent: `write a plan of ${count(steps.length, 'step')}`,
      done: `wrote a plan of ${count(steps.length, 'step')}`,
      report: () => `The plan is written down: ${nameSome(steps)}.`,
    }
  },
}

/** The commands that run something, reach the web or turn to the person. */
export const actionCommands: readonly DemoCommand[] = [run, python, fetch, open, ask, plan]
