import { spawn } from 'node:child_process'
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageOf, ToolError } from '../../core/call/result.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'
import type { DelegateAnswer, DelegateHandler, OpenEffect } from '../../core/tool/delegate.ts'
import { OPENER } from '../serve/open-browser.ts'
import { readEditor } from './edit-in-editor.ts'
import { paintError } from './front-end.ts'

/** Handles what tools ask of the app: opens files in $VISUAL, $EDITOR or the system's default program, and shows notifications. Returns undefined if no person is at this terminal. */
export function terminalApp(programs: Programs): DelegateHandler | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const handle: DelegateHandler = (effect, { workspace, signal }) => {
    if (effect.kind === 'open') return openFile(commandFor(effect, { workspace, programs }), programs, signal)
    if (effect.kind !== 'notify') return undefined
    process.stderr.write(`${paintError('reset', effect.text)}\n`)
    return { done: true }
  }
  const opener: DelegateHandler['opener'] = (effect, workspace) => commandFor(effect, { workspace, programs })[0]
  return Object.assign(handle, { opener })
}

/** Programs that open a file with whatever the system has for its kind, which may be to run it. */
const OPENERS = /^(open|xdg-open|gio|gnome-open|kde-open\d?|exo-open|see|run-mailcap)$/
/** Kinds of files that are only shown, whatever program the system has for them. */
const ONLY_SHOWN = /\.(txt|text|log|md|markdown|json|toml|ya?ml|diff|patch|png|jpe?g|gif|webp|bmp|tiff?)$/i

type Command = readonly [program: string, ...args: string[]]

/** Returns the command that opens a file: $VISUAL, $EDITOR, or the system's opener. Throws ToolError where none may open it. */
function commandFor(
  { path, line, column = 1 }: OpenEffect,
  { workspace, programs }: { readonly workspace: string; readonly programs: Programs },
): Command {
  const file = join(workspace, path)
  const { program: editor, options: given } = readEditor(process.env.VISUAL || process.env.EDITOR || '')
  const program = editor === '' ? programs.system(OPENER) : programs.chosen(editor)
  if (OPENERS.test(basename(program))) {
    if (!isOnlyShown(file))
      throw new ToolError(
        'BLOCKED',
        `${path} was not given to ${program}, which may run files of its kind or load what they name. It gives only plain text and pictures to that program. Set $EDITOR to an editor, or open the file yourself.`,
      )
    return [program, ...given, realpathSync(file)]
  }
  if (line === undefined) return [program, ...given, file]
  return /^(code|codium|cursor)$/.test(basename(program))
    ? [program, ...given, '--goto', `${file}:${line}:${column}`]
    : [program, ...given, `+${line}`, file]
}

/** True for a file of a kind that is only shown, by its own name and that of the file it links to, which is neither a script nor marked as a program. */
function isOnlyShown(file: string): boolean {
  const real = realpathSync(file)
  const stats = statSync(real)
  return (
    ONLY_SHOWN.test(file) && ONLY_SHOWN.test(real) && stats.isFile() && (stats.mode & 0o111) === 0 && !isScript(real)
  )
}

function isScript(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(2)
    readSync(descriptor, start, 0, 2, 0)
    return start.toString('latin1') === '#!'
  } finally {
    closeSync(descriptor)
  }
}

function openFile([program, ...args]: Command, programs: Programs, signal: AbortSignal): Promise<DelegateAnswer> {
  return new Promise((resolve) => {
    const refuse = (why: string) => resolve({ done: false, reason: `${program} could not open it: ${why}` })
    const child = spawn(program, args, { stdio: 'inherit', signal, cwd: '/', env: programs.env() })
    child.on('error', (error) => refuse(messageOf(error)))
    child.on('close', (code) =>
      code === 0 ? resolve({ done: true, text: `Opened with ${program}` }) : refuse(`it ended with exit code ${code}`),
    )
  })
}
