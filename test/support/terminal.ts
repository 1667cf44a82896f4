import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A real terminal, driven by keys and read as a person sees it. */
export interface Terminal {
  /** Waits until the screen shows this, and returns the screen; fails with the screen when it never does. */
  waitFor(what: RegExp): Promise<string>
  /** Presses keys by their tmux names, or types text. */
  press(...keys: string[]): void
  type(text: string): void
  /** Types text as a person does, a letter at a time. */
  typeEvery(milliseconds: number, text: string): Promise<void>
  /** Pastes text as a person does, marked as pasted. */
  paste(text: string): void
  resize(columns: number, rows: number): void
  /** The screen with the codes of its colours. */
  colours(): string
  /** True once the bell has rung. */
  hasRung(): boolean
  showsCursor(): boolean
  /** Closes the window, whatever runs in it. */
  close(): void
}

interface TerminalOptions {
  cwd: string
  env?: Record<string, string>
  columns?: number
  rows?: number
}

/** One tmux server for the terminals of a test file. */
const SOCKET = `haft-${randomBytes(4).toString('hex')}`
let opened = 0

function tmux(...args: string[]): string {
  return execFileSync('tmux', ['-L', SOCKET, '-f', '/dev/null', ...args], {
    encoding: 'utf8',
    env: { ...process.env, TERM: 'xterm-256color' },
  })
}

/** Starts a command in a terminal of its own; it is gone when the test ends. */
export function openTerminal(
  command: readonly string[],
  { cwd, env = {}, columns = 100, rows = 30 }: TerminalOptions,
): Terminal {
  const name = `haft${++opened}`
  // With the colon tmux takes it for the name of a session, whose only window this is.
  const target = `${name}:`
  const environment = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const line = `trap : INT; ${command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}; echo "exit=$?"; cat`
  tmux(
    'new-session',
    '-d',
    '-s',
    name,
    '-x',
    String(columns),
    '-y',
    String(rows),
    '-c',
    cwd,
    ...environment,
    'sh',
    '-c',
    line,
  )
  let isOpen = true
  const close = () => {
    if (isOpen) tmux('kill-session', '-t', target)
    isOpen = false
  }
  onTestFinished(close)
  const screen = () => tmux('capture-pane', '-p', '-J', '-t', target)
  return {
    async waitFor(what) {
      const end = Date.now() + 20_000
      for (;;) {
        const seen = screen()
        if (what.test(seen)) return seen
        if (Date.now() > end) throw new Error(`the terminal never showed ${what}; it shows:\n${seen}`)
        await pause(20)
      }
    },
    press: (...keys) => void tmux('send-keys', '-t', target, ...keys),
    hasRung: () => tmux('display-message', '-p', '-t', target, '#{window_bell_flag}').trim() === '1',
    showsCursor: () => tmux('display-message', '-p', '-t', target, '#{cursor_flag}').trim() === '1',
    colours: () => tmux('capture-pane', '-p', '-e', '-t', target),
    paste(text) {
      execFileSync('tmux', ['-L', SOCKET, 'load-buffer', '-'], { input: text })
      tmux('paste-buffer', '-p', '-t', target)
    },
    resize: (width, height) => void tmux('resize-window', '-t', target, '-x', String(width), '-y', String(height)),
    type: (text) => void tmux('send-keys', '-t', target, '-l', text),
    async typeEvery(milliseconds, text) {
      for (const letter of text) {
        tmux('send-keys', '-t', target, '-l', letter)
        await pause(milliseconds)
      }
    },
    close,
  }
}
