import { lstatSync } from 'node:fs'
import type { CallReading } from '../core/rules/rule.ts'
import { resolvePath } from '../core/text/paths.ts'
import { runs, type Touch } from '../core/tool/touch.ts'
import { isCovered } from './harmless-arguments.ts'
import { openCall } from './read-call.ts'
import type { ShellLocation } from './shell/shell-reading.ts'

/** Commands as lists of words. */
type Commands = readonly (readonly string[])[]

/**
 * Returns a test whether a grant for these commands covers what was read: the same words with harmless options at most, started
 * in the workspace, without variables or input of another line, and changing no existing file that the granted words do not change.
 */
export function createCommandCover(granted: Commands, location: ShellLocation): (reading: CallReading) => boolean {
  const lines = granted.map((words) => runs(words.map(quote).join(' ')))
  const own = new Set(openCall(lines, location).reading.touches.flatMap((touch) => pathOf(touch, location)))
  return ({ commands, touches }) => {
    if (!commands.every(({ argv }) => granted.some((words) => isCovered(argv, words)))) return false
    if (!touches.every((touch) => touch.kind !== 'runs' || isPlainLine(touch, granted))) return false
    return touches.every((touch) => touch.kind !== 'writes' || isOwn(touch, own, location))
  }
}

/** True for a line that starts in the workspace, sets no variables and feeds its commands no input: words alone say what it does. */
export function isPlainLine({ command, cwd }: Extract<Touch, { kind: 'runs' }>, granted: Commands): boolean {
  if (cwd !== undefined && !/^\.?\/*$/.test(cwd)) return false
  const words = granted.flat()
  const rest = words.reduce((text, word) => (/[<=]/.test(word) ? text.replaceAll(word, ' ') : text), command)
  return !/</.test(rest) && !/(?:^|[\s;&|(!])[A-Za-z_]\w*\+?=/.test(rest)
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

function pathOf(touch: Touch, { workspace }: ShellLocation): string[] {
  return 'path' in touch ? [resolvePath(workspace, touch.path)] : []
}

/** Streams that a shell may write to without changing a file. */
const STREAMS = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/

function isOwn(touch: Touch, own: ReadonlySet<string>, location: ShellLocation): boolean {
  return pathOf(touch, location).every((path) => own.has(path) || STREAMS.test(path) || !exists(path))
}

/** True also when it cannot be determined. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}
