import { stripTypeScriptTypes } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FileText } from '../protocol.ts'
import { givenText } from './hooks.ts'

/** The line in which a tool's name is given; undefined where the text does not hold it. */
export function findNameLine(text: string, name: string): number | undefined {
  const quoted = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const at = text.search(new RegExp(`\\bname['"]?\\s*:\\s*(['"\`])${quoted}\\1`))
  const found = at >= 0 ? at : text.search(new RegExp(`(['"\`])${quoted}\\1`))
  return found < 0 ? undefined : lineAt(text, found)
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** The line of a file at which something thrown while it was loaded happened, where that can be found. */
export function findThrownLine(thrown: unknown, { file, text }: FileText): number | undefined {
  const line = lineInStack(thrown, file)
  if (line !== undefined || !(thrown instanceof SyntaxError)) return line
  // V8 does not say where in a module a syntax error is; the parser that strips types does.
  try {
    stripTypeScriptTypes(text)
    return undefined
  } catch (again) {
    const [, found] = /^(?:[^\n]*):(\d+)\n/.exec(stackOf(again)) ?? []
    return found === undefined ? undefined : Number(found)
  }
}

function lineInStack(thrown: unknown, file: string): number | undefined {
  const stack = stackOf(thrown)
  for (const place of [pathToFileURL(file).href, file]) {
    const after = stack.split(`${place}:`)[1]
    const line = Number.parseInt(after ?? '', 10)
    if (line > 0) return line
  }
  return undefined
}

/** How many places of a stack are shown, and how much of each line. */
const OWN_FRAMES = 5
const SHOWN_SOURCE = 200

/** Returns where in the folder of a tool file something thrown passed, last the place that threw it: `\n  words.ts:4 in fail: throw new Error('x')`. */
export function ownFrames(thrown: unknown, file: string): string {
  const folder = `${pathToFileURL(dirname(file)).href}/`
  const places = stackOf(thrown).matchAll(/^ +at (?:async )?(?:(.+) \()?(file:.+?):(\d+):\d+\)?$/gm)
  const own = [...places].flatMap(([, name = '', url = '', line = '']) => {
    if (!url.startsWith(folder) || url.includes('/node_modules/')) return []
    const source = givenText(url)?.split('\n')[Number(line) - 1]?.trim().slice(0, SHOWN_SOURCE)
    const where = `${decodeURI(url.slice(folder.length))}:${line}${name === '' ? '' : ` in ${name}`}`
    return [`\n  ${where}${source === undefined ? '' : `: ${source}`}`]
  })
  return own.slice(0, OWN_FRAMES).reverse().join('')
}

/** Guarded, because an error may have a stack of its own making. */
function stackOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.stack) : ''
  } catch {
    return ''
  }
}
