import { render } from 'ink'
import { createElement } from 'react'
import { TuiComponent } from './component.ts'
import type { OpenTui } from './options.ts'
import { stopProcess } from './stop-process.ts'
import { Tui } from './tui.ts'

const CLEAR = '\u001b[H\u001b[2J\u001b[3J'
/** Empties what is seen; what was scrolled away stays. */
const WIPE = '\u001b[H\u001b[2J'
const BELL = '\u0007'

/** Opens the terminal UI on this process's terminal. Resolves to the exit code. */
export const openTui: OpenTui = async (options) => {
  const { stdin, stdout } = process
  const host = await options.home.host(options.workspace)
  let code = 0
  const tui = new Tui(options, host, {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    ring: () => void stdout.write(BELL),
    wipe: () => void stdout.write(CLEAR),
    exit(given) {
      code = given
      instance.unmount()
    },
    async suspend() {
      const hasStopped = await tui.screen.suspend(stopProcess)
      if (hasStopped) tui.screen.redraw()
      else tui.screen.say('Haft was not suspended: this terminal has no job control to resume it.')
    },
  })
  const resized = () => {
    stdout.write(WIPE)
    tui.screen.redraw()
  }
  // Before Ink listens, since it draws at once.
  stdout.on('resize', resized)
  // Before the first frame: Enter pressed right after it would arrive as a line break, which starts a new line instead of sending.
  stdin.setRawMode(true)
  const instance = render(createElement(TuiComponent, { tui }), {
    exitOnCtrlC: false,
    patchConsole: true,
    maxFps: 60,
    incrementalRendering: true,
    interactive: true,
    kittyKeyboard: { mode: 'auto' },
  })
  const leave = (signal: NodeJS.Signals) => {
    code = EXITS[signal as keyof typeof EXITS]
    instance.unmount()
  }
  for (const signal of SIGNALS) process.on(signal, leave)
  try {
    await tui.start()
    await instance.waitUntilExit()
    tui.conversation.stop()
    return code
  } finally {
    instance.unmount()
    tui.close()
    stdout.off('resize', resized)
    for (const signal of SIGNALS) process.off(signal, leave)
    await host.close()
  }
}

/** Exit codes of a process that was asked to end. */
const EXITS = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130 } as const
const SIGNALS = Object.keys(EXITS) as (keyof typeof EXITS)[]
