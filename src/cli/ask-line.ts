import { createInterface } from 'node:readline'

/** What one line is asked with. */
export interface LineWish {
  readonly text: string
  /** What stands there already, to be changed. */
  readonly draft?: string
  readonly signal: AbortSignal
}

/** One line from the person at this terminal, on stderr; undefined when they end the input, press Ctrl-C, or it is no longer wanted. */
export function askLine({ text, draft, signal }: LineWish): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  lines.on('error', noteGone)
  return new Promise((resolve) => {
    const finish = (answer: string | undefined) => {
      signal.removeEventListener('abort', end)
      lines.off('close', end)
      lines.close()
      resolve(answer)
    }
    const end = () => {
      process.stderr.write('\n')
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

/** A terminal that was closed fails to be reset; its input ends too, and that is what is heeded. */
function noteGone(): void {}

/** True where a person sits at this terminal. */
export function hasPerson(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY)
}
