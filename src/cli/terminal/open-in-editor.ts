import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { messageOf } from '../../core/call/result.ts'
import type { DelegateAnswer, DelegateEffect, DelegateHandler } from '../../core/tool/delegate.ts'
import { paintError } from './front-end.ts'

/** Handles what tools ask of the app: opens files in $VISUAL, $EDITOR or the system's default program, and shows notifications. Returns undefined if no person is at this terminal. */
export function terminalApp(): DelegateHandler | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return (effect, { workspace, signal }) => {
    if (effect.kind === 'open') return openFile(commandFor(effect, workspace), signal)
    if (effect.kind !== 'notify') return undefined
    process.stderr.write(`${paintError('reset', effect.text)}\n`)
    return { done: true }
  }
}

type Open = Extract<DelegateEffect, { kind: 'open' }>

/** Returns the command that opens a file: $VISUAL, $EDITOR, or the system's opener. */
function commandFor({ path, line, column = 1 }: Open, workspace: string): readonly string[] {
  const file = join(workspace, path)
  const [editor, ...given] = (process.env.VISUAL || process.env.EDITOR || '').split(/\s+/).filter(Boolean)
  if (editor === undefined) return [process.platform === 'darwin' ? 'open' : 'xdg-open', file]
  if (line === undefined) return [editor, ...given, file]
  return /(^|\/)(code|codium|cursor)$/.test(editor)
    ? [editor, ...given, '--goto', `${file}:${line}:${column}`]
    : [editor, ...given, `+${line}`, file]
}

function openFile([program = '', ...args]: readonly string[], signal: AbortSignal): Promise<DelegateAnswer> {
  return new Promise((resolve) => {
    const refuse = (why: string) => resolve({ done: false, reason: `${program} could not open it: ${why}` })
    const child = spawn(program, args, { stdio: 'inherit', signal })
    child.on('error', (error) => refuse(messageOf(error)))
    child.on('close', (code) =>
      code === 0 ? resolve({ done: true, text: `Opened with ${program}` }) : refuse(`it ended with exit code ${code}`),
    )
  })
}
