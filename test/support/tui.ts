import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BuiltProgram, buildProgram } from './built-program.ts'
import { openTerminal, type Terminal } from './terminal.ts'

interface TuiSetup {
  readonly args?: readonly string[]
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string>>
  /** Files of HAFT_HOME. */
  readonly home?: Readonly<Record<string, string>>
  readonly env?: Record<string, string>
  readonly columns?: number
  readonly program?: BuiltProgram
}

/** The terminal UI in a terminal of its own. */
export interface OpenedTui extends Terminal {
  readonly program: BuiltProgram
  /** Types a message and sends it. */
  send(text: string): void
  /** Waits for an approval, until its keys are shown: then they count. Returns the screen. */
  card(): Promise<string>
}

/** Starts the terminal UI with the demo model and waits until it takes messages. */
export async function openTui(setup: TuiSetup = {}): Promise<OpenedTui> {
  const { args = ['--model', 'demo'], files = {}, home = {}, env = {}, columns = 80 } = setup
  const program = setup.program ?? buildProgram()
  writeAll(program.workspace, files)
  writeAll(program.home, home)
  const terminal = openTerminal([process.execPath, program.main, ...args], {
    ...{ cwd: program.workspace, columns, rows: 32 },
    env: { HAFT_HOME: program.home, EDITOR: '', VISUAL: '', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...env },
  })
  await terminal.waitFor(/mode (ask|review)/)
  return {
    ...{ ...terminal, program },
    send(text) {
      terminal.type(text)
      terminal.press('Enter')
    },
    card: () => terminal.waitFor(/\? Waiting for you [\s\S]*(\[y\]es|\[y\] apply)/),
  }
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
