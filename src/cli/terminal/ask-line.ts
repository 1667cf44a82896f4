import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** How to ask for one line. */
export interface LineOptions {
  readonly text: string
  /** Text to edit, shown after the prompt. */
  readonly draft?: string
  readonly signal: AbortSignal
}

/** Prompts for one line on stderr. Resolves to undefined when the person ends the input or presses Ctrl-C, or the signal is aborted. */
export function askLine(options: LineOptions): Promise<string | undefined> {
  return askOn(process.stderr, options)
}

function askOn(output: NodeJS.WritableStream, { text, draft, signal }: LineOptions): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  lines.on('error', ignoreClosedTerminal)
  return new Promise((resolve) => {
    const finish = (answer: string | undefined) => {
      signal.removeEventListener('abort', end)
      lines.off('close', end)
      lines.close()
      resolve(answer)
    }
    const end = () => {
      output.write('\n')
      finish(undefined)
    }
    lines.once('close', end)
    lines.once('SIGINT', end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) return end()
    lines.question(text, finish)
    if (draft) lines.write(draft)
  })
}

/** Prompts for one line without showing what is typed. */
export async function askSecret({ text, signal }: LineOptions): Promise<string | undefined> {
  process.stderr.write(text)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const answer = await askOn(unseen, { text: '', signal })
  process.stderr.write('\n')
  return answer
}

/** How long input is ignored after a prompt appears, in milliseconds. */
const NOTICE = 400

/** Drops what was typed before a person can have seen the prompt, so that it does not answer the request. Resolves to false if they pressed Ctrl-C or ended the input. */
export function dropTypedAhead(signal: AbortSignal): Promise<boolean> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true })
  lines.on('error', ignoreClosedTerminal)
  return new Promise((resolve) => {
    const finish = (isThere: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', pass)
      lines.off('close', leave)
      lines.close()
      resolve(isThere)
    }
    const leave = () => finish(false)
    const pass = () => finish(true)
    const timer = setTimeout(pass, NOTICE)
    lines.once('close', leave)
    lines.once('SIGINT', leave)
    signal.addEventListener('abort', pass, { once: true })
  })
}

/** Ignores the error of resetting a closed terminal: its input ends too, and that is handled. */
function ignoreClosedTerminal(): void {}

/** True if a person is at this terminal. */
export function hasPerson(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY)
}
