import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Pause } from '../../core/terminal/pause.ts'
import { wrapWords } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { columnsOf, paintError } from './front-end.ts'

/** How to ask for one line. */
export interface LineOptions {
  readonly text: string
  /** Text to edit, shown after the prompt. */
  readonly draft?: string
  readonly signal: AbortSignal
}

/** Prompts for one line on stderr. Line breaks of a pasted text are spaces, so that it answers nothing by itself. Resolves to undefined when the person ends the input or presses Ctrl-C, or the signal is aborted. */
export function askLine(options: LineOptions): Promise<string | undefined> {
  return askOn(process.stderr, options)
}

function askOn(output: NodeJS.WritableStream, { text, draft, signal }: LineOptions): Promise<string | undefined> {
  const { stdin, stderr } = process
  const lines = createInterface({ input: stdin, output, terminal: true })
  lines.on('error', ignoreClosedTerminal)
  const marksPastes = process.env.TERM !== 'dumb'
  /** The lines of a text while it is pasted. */
  let pasted: string[] | undefined
  return new Promise((resolve) => {
    const finish = (answer: string | undefined) => {
      signal.removeEventListener('abort', end)
      lines.off('close', end)
      stdin.off('keypress', mark)
      if (marksPastes) stderr.write(PASTES.off)
      lines.close()
      resolve(answer)
    }
    const end = () => {
      output.write('\n')
      finish(undefined)
    }
    const mark = (_: unknown, { name }: { name?: string }) => {
      if (name === 'paste-start') pasted = []
      if (name !== 'paste-end' || pasted === undefined) return
      const [first, ...others] = pasted
      pasted = undefined
      if (first === undefined) return
      const all = [first, ...others, lines.line].join(' ')
      lines.write(null, { ctrl: true, name: 'e' })
      lines.write(null, { ctrl: true, name: 'u' })
      lines.prompt()
      lines.write(all)
    }
    lines.once('close', end)
    lines.once('SIGINT', end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) return end()
    stdin.on('keypress', mark)
    if (marksPastes) stderr.write(PASTES.on)
    lines.on('line', (line) => (pasted ? void pasted.push(line) : finish(line)))
    lines.setPrompt(text)
    lines.prompt()
    if (draft) lines.write(draft)
  })
}

/** Make a terminal mark what is pasted. */
const PASTES = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

/** Prompts for one line without showing what is typed. */
export async function askSecret({ text, signal }: LineOptions): Promise<string | undefined> {
  process.stderr.write(text)
  const answer = await askOn(nowhere(), { text: '', signal })
  process.stderr.write('\n')
  return answer
}

/** Prompts for the answer to a question that has just been printed. A line that was typed before it, or before the person paused, is no answer. Resolves as `askLine` does. */
export async function askAfterPause(options: LineOptions): Promise<string | undefined> {
  const typed = await waitForPause(options.signal)
  if (typed === undefined) return undefined
  if (typed !== '') {
    typedAhead = `${typedAhead} ${typed}`.trim()
    say(`Not taken as an answer, since it was typed before you could read the question: ${printableLine(typed)}`)
  }
  return askLine(options)
}

let typedAhead = ''

/** Returns what was typed while a question waited for a pause, for the next message. */
export function takeTypedAhead(): string {
  const typed = typedAhead
  typedAhead = ''
  return typed
}

/** Says which answers count, after another one. */
export function rejectAnswer(given: string, expected: string): void {
  say(`${given === '' ? 'That is no answer' : `"${printableLine(given)}" is no answer here`}. Type ${expected}.`)
}

function say(text: string): void {
  const rows = wrapWords(text, columnsOf(process.stderr))
  process.stderr.write(`${rows.map((row) => paintError('yellow', row)).join('\n')}\n`)
}

/** Waits until no key has been pressed for a while. Resolves to what was typed until then, shown nowhere; to undefined if the person pressed Ctrl-C or ended the input. */
function waitForPause(signal: AbortSignal): Promise<string | undefined> {
  const { stdin } = process
  const lines = createInterface({ input: stdin, output: nowhere(), terminal: true })
  lines.on('error', ignoreClosedTerminal)
  const typed: string[] = []
  return new Promise((resolve) => {
    const finish = (isThere: boolean) => {
      signal.removeEventListener('abort', pass)
      stdin.off('keypress', hold)
      lines.off('close', leave)
      lines.close()
      resolve(isThere ? [...typed, lines.line].join(' ').trim() : undefined)
    }
    const leave = () => finish(false)
    const pass = () => finish(true)
    const pause = new Pause(pass)
    const hold = () => {
      if (!isHeld) say('It takes an answer once you stop typing.')
      isHeld = true
      pause.restart()
    }
    let isHeld = false
    lines.on('line', (line) => void typed.push(line))
    lines.once('close', leave)
    lines.once('SIGINT', leave)
    stdin.on('keypress', hold)
    signal.addEventListener('abort', pass, { once: true })
    pause.begin()
  })
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

/** Ignores the error of resetting a closed terminal: its input ends too, and that is handled. */
function ignoreClosedTerminal(): void {}

/** True if a person is at this terminal. */
export function hasPerson(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY)
}
