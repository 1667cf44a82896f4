#!/usr/bin/env node
// Uses only syntax that old versions of Node can read, and imports nothing of Haft before it has checked the version.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CliParts } from './cli/terminal/front-end.ts'

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

/** The suite that comes with Haft: the build puts it beside this file. */
function findSuite(): string {
  const built = fileURLToPath(new URL('./suite.yaml', import.meta.url))
  return existsSync(built) ? built : fileURLToPath(new URL('../examples/suite.yaml', import.meta.url))
}

/** The width in columns of the help text that the build writes. */
const HELP_WIDTH = 80

/** True where a person can use the terminal UI, which `haft` alone opens. */
function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== 'dumb'
}

/** Returns the version, or the prebuilt help if the terminal is wide enough for it; undefined for every other command line. Loads no other module. */
function answerQuickly(): string | undefined {
  if (args.length > 1 || (args.length === 0 && isTerminal())) return undefined
  if (args[0] === '--version' || args[0] === '-V') return `${readVersion()}\n`
  if (args[0] !== undefined && args[0] !== '--help' && args[0] !== '-h') return undefined
  if (process.stdout.columns < HELP_WIDTH) return undefined
  try {
    return readBeside('./help.txt')
  } catch {
    return undefined
  }
}

/** The folder of the web app, beside the program. */
function findPage(): string {
  return fileURLToPath(new URL('./web', import.meta.url))
}

/** Exits as every command does when the reader of its output has gone (EPIPE) or the output cannot be written. */
async function failQuickly(error: NodeJS.ErrnoException): Promise<void> {
  if (error.code === 'EPIPE') process.exit(141)
  const { reasonOf } = await import('./core/call/result.ts')
  process.stderr.write(`haft: cannot write the output: ${reasonOf(error)}\n`)
  process.exit(1)
}

// An empty HOME names no folder. If it were used, HAFT_HOME would become a folder inside the workspace.
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
      const { programs } = await import('./app/programs/programs.ts')
      const { findHostFolder } = await import('./app/open-tool-sources.ts')
      const parts: CliParts = {
        createHost,
        openHome: async (options) => (await import('./app/home.ts')).openHome(options),
        explainTool: async (home, asked) => (await import('./app/agent/explain-tool.ts')).explainTool(home, asked),
        readSuite: async (path) => (await import('./app/suite/read-suite.ts')).readSuite(path),
        runSuite: async (...given) => (await import('./app/suite/run-suite.ts')).runSuite(...given),
        suitePath: findSuite,
        examineMachine: async (folder) => (await import('./app/overview/examine.ts')).examineMachine(folder),
        pythonPath: findHostFolder,
        programs,
        version: readVersion(),
        listen: async (options) => (await import('./server/start-server.ts')).listen(options),
        readServerSettings: async (...given) =>
          (await import('./app/open/read-server-settings.ts')).readServerSettings(...given),
        pageFolder: findPage,
        openTui: async (options) => (await import('./tui/start.ts')).openTui(options),
      }
      process.exitCode = await runProgram(args.length === 0 && isTerminal() ? ['tui'] : args, parts)
    })
}
