import type { CallReading, ReadCommand } from '../../core/rules/rule.ts'

const PACKAGE = ['package.json']
const MAKE = ['GNUmakefile', 'makefile', 'Makefile']
const COMPOSE = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml', 'Dockerfile']

/** The files in which programs look up what to run, though no argument names them. */
const LOOKED_UP: Readonly<Record<string, readonly string[]>> = {
  ...{
    npm: PACKAGE,
    npx: PACKAGE,
    pnpm: PACKAGE,
    pnpx: PACKAGE,
    yarn: PACKAGE,
    bun: PACKAGE,
    bunx: PACKAGE,
    node: PACKAGE,
  },
  ...{ make: MAKE, gmake: MAKE, docker: COMPOSE, podman: COMPOSE, 'docker-compose': COMPOSE },
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile', 'rakefile', 'Rakefile.rb'],
  cargo: ['Cargo.toml', 'build.rs'],
  deno: ['deno.json', 'deno.jsonc', 'package.json'],
  composer: ['composer.json'],
  gradle: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  gradlew: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  mvn: ['pom.xml'],
  ant: ['build.xml'],
  tox: ['tox.ini', 'pyproject.toml', 'setup.cfg'],
  nox: ['noxfile.py'],
  pytest: ['conftest.py', 'pytest.ini', 'pyproject.toml'],
  'pre-commit': ['.pre-commit-config.yaml'],
}

/** Options that name the folder in which a program looks. */
const FOLDER_OPTION = /^(?:-C|--prefix|--dir|--cwd|--directory)(?:=(.*))?$/

/** Lists the files, relative to the workspace, in which the commands of a call look up what they run: the scripts of `npm run build`, the rules of `make`, the module of `python -m x`. */
export function listProgramFiles({ commands, touches }: Pick<CallReading, 'commands' | 'touches'>): string[] {
  const names = commands.flatMap(namesOf)
  if (names.length === 0) return []
  const started = touches.flatMap((touch) => (touch.kind === 'runs' ? [touch.cwd ?? ''] : []))
  const folders = new Set(['', ...started, ...commands.flatMap(foldersOf)])
  return [...folders].flatMap((folder) => names.map((name) => (folder === '' ? name : `${folder}/${name}`)))
}

function namesOf({ name, argv }: ReadCommand): readonly string[] {
  if (/^python[\d.]*$/.test(name)) return modulesOf(argv)
  const known = Object.hasOwn(LOOKED_UP, name) ? (LOOKED_UP[name] ?? []) : []
  return RUNS_INSTALLED.test(name) ? [...known, ...installedOf(argv)] : known
}

/** Programs that run those of installed packages by their names. */
const RUNS_INSTALLED = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)$/

/** Any word of a command line may be the program: `npx tsc`, `pnpm exec tsc`, `yarn tsc`. */
function installedOf(argv: readonly string[]): string[] {
  return argv.slice(1).flatMap((word) => (/^\w[\w.-]*$/.test(word) ? [`node_modules/.bin/${word}`] : []))
}

function modulesOf(argv: readonly string[]): string[] {
  const module = argv[argv.indexOf('-m') + 1]
  if (!argv.includes('-m') || module === undefined) return []
  const path = module.replaceAll('.', '/')
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`]
}

function foldersOf({ name, argv }: ReadCommand): string[] {
  if (name === 'cd' || name === 'pushd') return argv.slice(1, 2)
  return argv.flatMap((word, index) => {
    const option = FOLDER_OPTION.exec(word)
    return option === null ? [] : [option[1] ?? argv[index + 1] ?? '']
  })
}
