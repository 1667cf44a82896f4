// Type-checks everything, then builds dist/: what `npm ci` leaves behind. Our own code is bundled, since loading many small
// files costs more than running them; parts loaded lazily and every tool stay files of their own, so that tools can be scanned.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { rolldown } from 'rolldown'
import { build } from 'vite'
import { programs } from '../src/app/programs/programs.ts'
import { buildProgram } from '../src/cli/program.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const tsc = (...args: string[]) => {
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/** Programs and threads of their own: the one that runs TypeScript tools, with what `haft` means in a tool file; the one that carries the network of commands; the one that reads web pages. */
const OWN_PROGRAMS = [
  ...['sources/node/child/main.ts', 'sources/node/child/haft.ts'],
  ...['sandbox/network/forwarder.ts', 'http/markdown-worker.ts'],
]

tsc('--noEmit')
tsc('--noEmit', '-p', 'web')
rmSync(dist, { recursive: true, force: true })
tsc('-p', 'tsconfig.build.json')
dropInnerTypes(join(dist, 'types'))
await bundle()
await buildPage()
cpSync(join(root, 'python'), join(dist, 'python'), {
  recursive: true,
  filter: (path) => !path.endsWith('__pycache__'),
})
cpSync(join(root, 'examples/suite.yaml'), join(dist, 'suite.yaml'))
writeFileSync(join(dist, 'help.txt'), topLevelHelp())
chmodSync(join(dist, 'main.js'), 0o755)

async function bundle(): Promise<void> {
  const tools = readdirSync(join(root, 'src/tools')).filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  const files = ['index.ts', 'main.ts', 'client/client.ts', ...OWN_PROGRAMS, ...tools.map((file) => `tools/${file}`)]
  const input = Object.fromEntries(
    files.map((file) => [join(parse(file).dir, parse(file).name), join(root, 'src', file)]),
  )
  const made = await rolldown({ input, platform: 'node', external: /^[^./]/ })
  await made.write({ dir: dist, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' })
  await made.close()
}

/** Builds the web app. */
async function buildPage(): Promise<void> {
  await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' })
}

/** Takes away the declarations that are out of reach for whoever imports the package. */
function dropInnerTypes(types: string): void {
  const reached = new Set<string>()
  const follow = (file: string) => {
    if (reached.has(file)) return
    reached.add(file)
    const targets = readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\()['"](\.[^'"]+)\.ts['"]/g)
    for (const [, target] of targets) follow(join(dirname(file), `${target}.d.ts`))
  }
  for (const entry of ['index.d.ts', 'client/client.d.ts']) follow(join(types, entry))
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts') && !reached.has(join(types, file))) rmSync(join(types, file))
  }
}

/** The help that `haft --help` prints without loading anything. */
function topLevelHelp(): string {
  let help = ''
  const program = buildProgram({
    version: '',
    programs,
    listen: () => Promise.reject(new Error('no server is needed for the help')),
    readServerSettings: () => Promise.reject(new Error('no settings are needed for the help')),
    pageFolder: () => '',
    openTui: () => Promise.reject(new Error('no terminal UI is needed for the help')),
    createHost: () => Promise.reject(new Error('no host is needed for the help')),
    openHome: () => Promise.reject(new Error('no home is needed for the help')),
    explainTool: () => Promise.reject(new Error('no session is needed for the help')),
    readSuite: () => Promise.reject(new Error('no suite is needed for the help')),
    runSuite: () => Promise.reject(new Error('no suite is needed for the help')),
    suitePath: () => '',
    examineMachine: () => Promise.reject(new Error('nothing is examined for the help')),
    pythonPath: () => '',
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
