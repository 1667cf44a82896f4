import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** What one line is asked with. */
export interface LineWish {
  readonly text: string
  /** What stands there already, to be changed. */
  readonly draft?: string
  readonly signal: AbortSignal
}

/** One line from the person at this terminal, on stderr; undefined when they end the input, press Ctrl-C, or it is no longer wanted. */
export function askLine(wish: LineWish): Promise<string | undefined> {
  return askOn(process.stderr, wish)
}

function askOn(output: NodeJS.WritableStream, { text, draft, signal }: LineWish): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  lines.on('error', noteGone)
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

/** The same without showing what is typed. */
export async function askSecret({ text, signal }: LineWish): Promise<string | undefined> {
  process.stderr.write(text)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const answer = await askOn(unseen, { text: '', signal })
  process.stderr.write('\n')
  return answer
}

/** How long a person has to see that there is a question, in milliseconds. */
const NOTICE = 400

/** Drops what is typed before a question can have been seen, so that a word meant for something else does not answer it. Resolves to false when the person left with Ctrl-C or ended the input. */
export function dropTypedAhead(signal: AbortSignal): Promise<boolean> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true })
  lines.on('error', noteGone)
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

/** A terminal that was closed fails to be reset; its input ends too, and that is what is heeded. */
function noteGone(): void {}

/** True where a person sits at this terminal. */
export function hasPerson(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY)
}
