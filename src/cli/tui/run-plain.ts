import type { Home } from '../../app/home.ts'
import { messageOf } from '../../core/call/result.ts'
import { printProse } from '../output/report-problem.ts'
import { openSession } from '../run/open-session.ts'
import { attachFiles } from '../run/read-prompt.ts'
import { showRun, warn } from '../run/show-run.ts'
import { askLine, takeTypedAhead } from '../terminal/ask-line.ts'
import { type Cli, type CommonOptions, EXIT, paintError, workspaceOf } from '../terminal/front-end.ts'
import { listenForInterrupt } from '../terminal/interrupt.ts'
import { readPlainCommand } from './plain-commands.ts'

interface PlainOptions extends CommonOptions {
  continue?: string | true
  model?: string
}

/** The conversation in lines, for screen readers and terminals that cannot redraw: asks for a message, shows its run, and asks again until the input ends. */
export async function runPlain(cli: Cli, home: Home, options: PlainOptions): Promise<number> {
  const { signal } = new AbortController()
  let continued = options.continue
  cli.printError(
    paintError('dim', 'Write a message and press Enter. /help lists the commands. An empty line or Ctrl-D leaves.'),
  )
  for (;;) {
    const text = (await askLine({ text: 'message> ', draft: takeTypedAhead(), signal }))?.trim()
    if (!text) return EXIT.ok
    const command = readPlainCommand(text)
    if (command) {
      for (const line of command.lines) printProse(cli, line)
      if (command.action === 'quit') return EXIT.ok
      if (command.action === 'clear') continued = undefined
      continue
    }
    continued = await runOnce(cli, home, {
      options: { ...options, ...(continued !== undefined && { continue: continued }) },
      text,
    })
  }
}

interface PlainRun {
  readonly options: PlainOptions
  readonly text: string
}

/** Runs one message. Resolves to the session, which the next message goes on with. */
async function runOnce(cli: Cli, home: Home, { options, text }: PlainRun): Promise<string | true | undefined> {
  const interrupt = listenForInterrupt()
  const prompt = attachFiles(text, workspaceOf(options))
  for (const note of prompt.notes) warn(cli, note)
  let session = options.continue
  try {
    await showRun(cli, options, {
      ...{ home, interrupt },
      async open(caller) {
        const { continue: continued, model, mode } = options
        const selection = mode === undefined ? {} : { mode }
        const opened = await openSession(home, { workspace: workspaceOf(options), continued, model, selection, caller })
        if ('session' in opened) session = opened.session.id
        return opened
      },
      work: (opened) =>
        opened.send(prompt.text, {
          signal: interrupt.signal,
          ...(prompt.attachments.length > 0 && { attachments: prompt.attachments }),
        }),
    })
  } catch (thrown) {
    cli.printError(paintError('red', messageOf(thrown)))
  } finally {
    interrupt.stop()
  }
  return session
}
