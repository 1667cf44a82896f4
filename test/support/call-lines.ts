import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { BuiltProgram } from './built-program.ts'

/** An answer of `haft call --stdin`. */
export interface LineAnswer {
  readonly ok: boolean
  readonly text: string
  readonly code?: string
}

/** Keeps `haft call --stdin` running until the test ends; the function makes one call and gives its answer. */
export function keepCalling(program: BuiltProgram): (name: string, args?: object) => Promise<LineAnswer> {
  const child = spawn(process.execPath, [program.main, 'call', '--stdin'], {
    cwd: program.workspace,
    env: { PATH: process.env.PATH, HOME: join(program.workspace, '../person'), HAFT_HOME: program.home, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.stdin.end()
    await ended
  })
  const waiting = new Map<string, (answer: LineAnswer) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const answer: LineAnswer & { readonly id: string } = JSON.parse(line)
    waiting.get(answer.id)?.(answer)
  })
  let count = 0
  return (name, args = {}) => {
    const id = String(++count)
    const { promise, resolve } = Promise.withResolvers<LineAnswer>()
    waiting.set(id, resolve)
    child.stdin.write(`${JSON.stringify({ id, name, arguments: args })}\n`)
    return promise
  }
}
