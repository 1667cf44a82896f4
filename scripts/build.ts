// Type-checks everything, then builds dist/: what `npm ci` leaves behind. Our own code is bundled, since loading many small
// files costs more than running them; parts loaded lazily and every tool stay files of their own, so that tools can be scanned.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { rolldown } from 'rolldown'
import { buildProgram } from '../src/cli/program.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const tsc = (...args: string[]) =>
  execFileSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' })

tsc('--noEmit')
rmSync(dist, { recursive: true, force: true })
tsc('-p', 'tsconfig.build.json')
await bundle()
writeFileSync(join(dist, 'help.txt'), topLevelHelp())
chmodSync(join(dist, 'main.js'), 0o755)

async function bundle(): Promise<void> {
  const tools = readdirSync(join(root, 'src/tools')).filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  const files = ['index.ts', 'main.ts', ...tools.map((file) => `tools/${file}`)]
  const input = Object.fromEntries(
    files.map((file) => [join(parse(file).dir, parse(file).name), join(root, 'src', file)]),
  )
  const made = await rolldown({ input, platform: 'node', external: /^[^./]/ })
  await made.write({ dir: dist, format: 'esm', chunkFileNames: '[name]-[hash].js' })
  await made.close()
}

/** The help that `haft --help` prints without loading anything. */
function topLevelHelp(): string {
  let help = ''
  const program = buildProgram({
    version: '',
    createHost: () => Promise.reject(new Error('no host is needed for the help')),
    exit: () => undefined,
  })
  program.configureOutput({
    writeOut: (text: string) => {
      help += text
    },
    getOutHelpWidth: () => 80,
  })
  program.outputHelp()
  return help
}
