import { cutToWidth } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { columnsOf, paintError } from './front-end.ts'

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const CLEAR = '\r\u001b[2K'

/** A line below the output that shows that something runs, and for how long. */
export interface Spinner {
  /** Starts to show the line: the label and the seconds since, or what a function makes of the seconds each time it is drawn. */
  start(label: string | ((seconds: string) => string)): void
  /** Writes text above the line. An unfinished line of text is never overwritten. */
  write(text: string): void
  /** Writes text above the line, as a line of its own. */
  writeLine(text: string): void
  /** Removes the line until it is drawn again, and ends an unfinished line of text. */
  endLine(): void
  stop(): void
}

/** Makes the spinner of stderr. It shows nothing if stderr is not a terminal, or is one that cannot erase a line. */
export function createSpinner(): Spinner {
  let timer: NodeJS.Timeout | undefined
  let isShown = false
  let isMidLine = false
  const clear = () => {
    if (isShown) process.stderr.write(CLEAR)
    isShown = false
  }
  const endLine = () => {
    clear()
    if (isMidLine) process.stderr.write('\n')
    isMidLine = false
  }
  return {
    start(label) {
      if (!process.stderr.isTTY || process.env.TERM === 'dumb' || timer) return
      const since = performance.now()
      let frame = 0
      const draw = () => {
        frame = (frame + 1) % FRAMES.length
        if (isMidLine) process.stderr.write('\n')
        isMidLine = false
        const seconds = ((performance.now() - since) / 1000).toFixed(1)
        const text = typeof label === 'string' ? `${label} ${seconds} s` : label(seconds)
        // One row only: a longer one could not be erased.
        const row = cutToWidth(printableLine(text), columnsOf(process.stderr) - 3)
        process.stderr.write(`${CLEAR}${paintError('cyan', FRAMES[frame] ?? '')} ${paintError('dim', row)}`)
        isShown = true
      }
      timer = setInterval(draw, 100)
    },
    write(text) {
      clear()
      process.stderr.write(text)
      isMidLine = !text.endsWith('\n')
    },
    writeLine(text) {
      endLine()
      process.stderr.write(`${text}\n`)
    },
    endLine,
    stop() {
      clearInterval(timer)
      timer = undefined
      clear()
    },
  }
}
