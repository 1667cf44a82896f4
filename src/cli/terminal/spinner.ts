import { paintError } from './front-end.ts'

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const CLEAR = '\r\u001b[2K'

/** A line at the foot of a terminal that says what is at work and for how long. */
export interface Spinner {
  /** Shows it from now on. */
  start(label: string): void
  /** Writes above it; what ends within a line is never written over. */
  write(text: string): void
  /** Writes a line of its own above it. */
  writeLine(text: string): void
  /** Takes it away until it is drawn again, and ends the line that was written to last. */
  endLine(): void
  stop(): void
}

/** Makes the spinner of stderr; one that shows nothing where that is no terminal, or one that cannot take a line back. */
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
        process.stderr.write(
          `${CLEAR}${paintError('cyan', FRAMES[frame] ?? '')} ${paintError('dim', `${label} ${seconds} s`)}`,
        )
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
