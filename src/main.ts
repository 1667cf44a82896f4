#!/usr/bin/env node
// Kept to syntax that old Nodes can read, with no import of ours before their version is known.
import { readFileSync } from 'node:fs'

const WANTED = { major: 24, minor: 15 }
const args = process.argv.slice(2)

function isOldNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < WANTED.major || (major === WANTED.major && minor < WANTED.minor)
}

function readBeside(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

function readVersion(): string {
  return JSON.parse(readBeside('../package.json')).version
}

/** How wide the help is that was written when it was built. */
const HELP_WIDTH = 80

/** What needs no part of the house: the version, and the kept help where the terminal is wide enough for it. */
function answerQuickly(): string | undefined {
  if (args.length > 1) return undefined
  if (args[0] === '--version' || args[0] === '-V') return `${readVersion()}\n`
  if (args[0] !== undefined && args[0] !== '--help' && args[0] !== '-h') return undefined
  if (process.stdout.columns < HELP_WIDTH) return undefined
  try {
    return readBeside('./help.txt')
  } catch {
    return undefined
  }
}

/** Ends as every command does when nobody reads on, or when what it prints cannot be written. */
async function failQuickly(error: NodeJS.ErrnoException): Promise<void> {
  if (error.code === 'EPIPE') process.exit(141)
  const { reasonOf } = await import('./core/result.ts')
  process.stderr.write(`haft: its output cannot be written: ${reasonOf(error)}\n`)
  process.exit(1)
}

// An empty HOME names no folder: taken at its word it would make Haft's own folder one of the workspace's.
if (process.env.HOME === '') delete process.env.HOME

if (isOldNode()) {
  process.stderr.write(
    `haft needs Node ${WANTED.major}.${WANTED.minor} or newer; this is Node ${process.versions.node}.\n`,
  )
  process.exitCode = 1
} else {
  const quick = answerQuickly()
  if (quick !== undefined) process.stdout.once('error', failQuickly).write(quick)
  else
    import('./cli/program.ts').then(async ({ runProgram }) => {
      const { createHost } = await import('./app/create-host.ts')
      const { findHostFolder } = await import('./app/open-tool-sources.ts')
      process.exitCode = await runProgram(args, { version: readVersion(), createHost, pythonPath: findHostFolder })
    })
}
