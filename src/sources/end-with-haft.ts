import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'

/** A shell that reads the ids of the running process groups, a full list in each line. Its input ends when Haft does, however that happens; it then ends the groups of the last list. A program that has not made its group yet is ended alone. */
const WATCHER =
  'while read -r line; do groups=$line; done; for id in $groups; do kill -s KILL -- "-$id" || kill -s KILL "$id"; done'

const running = new Set<number>()
let watcher: ChildProcess | undefined

/** Starts a program that leads a process group. It ends, with all that it started in that group, when Haft ends in any way: by `kill -9` too. */
export function endWithHaft<Program extends ChildProcess>(start: () => Program): Program {
  // Started first: nothing is between the start of the program and the note of it.
  watcher ??= startWatcher()
  const program = start()
  const { pid } = program
  if (pid === undefined) return program
  running.add(pid)
  sendList()
  program.once('exit', () => {
    running.delete(pid)
    sendList()
  })
  return program
}

function sendList(): void {
  watcher?.stdin?.write(`${[...running].join(' ')}\n`)
}

/** The watcher has a session of its own, so that no signal of a terminal ends it, and keeps nobody alive. */
function startWatcher(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', WATCHER, 'haft-watcher'], {
    ...{ cwd: '/', env: {}, detached: true },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
  // Where it cannot be started or somebody has ended it, the next program starts it again; until then programs end by the end of their input.
  child.stdin?.on('error', () => undefined)
  child.on('error', forget).on('exit', forget)
  function forget(): void {
    if (watcher === child) watcher = undefined
  }
  return child
}
