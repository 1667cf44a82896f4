import { dependsOn, type Project, scriptOf } from '../project/project-files.ts'
import { readGoReport, readJestReport } from './read-json.ts'
import { readJunitReport } from './read-junit.ts'
import { readAnyOutput, readCargoOutput, readUnittestOutput } from './read-text.ts'
import type { RunnerOutput, TestReport } from './test-report.ts'

/** What a command line is made for. */
export interface TestSelection {
  /** File or folder of tests, relative to the project; undefined for all. */
  readonly path: string | undefined
  /** Part of the names of tests; undefined for all. */
  readonly filter: string | undefined
}

/** A way to run the tests of a project. */
export interface TestRunner {
  readonly name: string
  fits(project: Project): boolean
  /** The program and its arguments; `@report` stands for a folder that is read afterwards. */
  command(project: Project, selection: TestSelection): readonly string[]
  /** Folders of the project where the runner leaves JUnit reports. */
  readonly reports?: readonly string[]
  read(output: RunnerOutput, root: string): TestReport | undefined
}

const some = <T>(value: T | undefined, words: (value: T) => readonly string[]): readonly string[] =>
  value === undefined ? [] : words(value)

const runsWith = (project: Project, program: string): boolean =>
  new RegExp(`(^|[\\s/;&|])${program}(\\s|$)`).test(scriptOf(project, 'test'))

/** The script `test` if it ends with the program, so that its options count; else the program of the project. */
function throughScript(project: Project, program: string, args: readonly string[]): readonly string[] {
  const last =
    scriptOf(project, 'test')
      .split(/&&|\|\||;/)
      .at(-1)
      ?.trim() ?? ''
  const isPlain = new RegExp(`^(npx\\s+)?${program}(\\s|$)`).test(last) && !/[|>]|--watch/.test(last)
  return isPlain ? ['npm', 'test', '--silent', '--', ...args] : ['npx', '--no-install', program, ...args]
}

const vitest: TestRunner = {
  name: 'vitest',
  fits: (project) =>
    runsWith(project, 'vitest') ||
    dependsOn(project, 'vitest') ||
    project.names().some((name) => /^vitest\.config\./.test(name)),
  command(project, { path, filter }) {
    const args = ['--run', '--reporter=default', '--reporter=json', '--outputFile.json=@report/report.json']
    return throughScript(project, 'vitest', [
      ...args,
      ...some(filter, (text) => ['-t', escapeRegExp(text)]),
      ...some(path, (text) => [text]),
    ])
  },
  read: ({ report }, root) => readJestReport(report, root),
}

const jest: TestRunner = {
  name: 'jest',
  fits: (project) =>
    runsWith(project, 'jest') ||
    dependsOn(project, 'jest') ||
    project.names().some((name) => /^jest\.config\./.test(name)),
  command(project, { path, filter }) {
    const args = ['--ci', '--json', '--outputFile=@report/report.json', '--testLocationInResults']
    return throughScript(project, 'jest', [
      ...args,
      ...some(filter, (text) => ['-t', escapeRegExp(text)]),
      ...some(path, (text) => [text]),
    ])
  },
  read: ({ report }, root) => readJestReport(report, root),
}

const NODE_TEST = /\.(test|spec)\.[cm]?[jt]s$|^test[-.].*\.[cm]?[jt]s$/

const nodeTest: TestRunner = {
  name: 'node --test',
  fits: (project) =>
    /\bnode\b.*--test\b/.test(scriptOf(project, 'test')) ||
    (['', NO_SCRIPT].includes(scriptOf(project, 'test')) &&
      [...project.names(), ...project.names('test')].some((name) => NODE_TEST.test(name))),
  command(project, { path, filter }) {
    const [, before = '', after = ''] = /^node\s(.*?)--test\b(?!-)(.*)$/.exec(scriptOf(project, 'test').trim()) ?? []
    const options = before.split(/\s+/).filter((word) => /^--?\w[\w=./-]*$/.test(word))
    const files = after.split(/\s+/).filter((word) => /^[\w./*-]+$/.test(word) && !word.startsWith('-'))
    return [
      ...['node', ...options, '--test', '--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=junit', '--test-reporter-destination=@report/report.xml'],
      ...some(filter, (text) => [`--test-name-pattern=${escapeRegExp(text)}`]),
      ...(path === undefined
        ? files
        : [/\.[cm]?[jt]s$/.test(path) ? path : `${path}/**/*.{test,spec}.{js,mjs,cjs,ts,mts,cts}`]),
    ]
  },
  read: ({ report }, root) => readJunitReport(report, root),
}

/** What `npm init` writes. */
const NO_SCRIPT = 'echo "Error: no test specified" && exit 1'

const packageScript: TestRunner = {
  name: 'npm test',
  fits: (project) => !['', NO_SCRIPT].includes(scriptOf(project, 'test')),
  command: (_, { path, filter }) => [
    'npm',
    'test',
    '--silent',
    ...((path ?? filter) ? ['--', ...some(path, (text) => [text]), ...some(filter, (text) => ['-t', text])] : []),
  ],
  read: readAnyOutput,
}

const PYTHON_TEST = /^test.*\.py$|_test\.py$/
const pythonTests = (project: Project): readonly string[] =>
  [
    ...project.names(),
    ...project.names('tests').map((name) => `tests/${name}`),
    ...project.names('test').map((name) => `test/${name}`),
  ].filter((name) => PYTHON_TEST.test(name.replace(/^.*\//, '')))

const pytest: TestRunner = {
  name: 'pytest',
  fits: (project) =>
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some((name) => project.has(name)) ||
    ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt', 'setup.py'].some((name) =>
      /\bpytest\b/.test(project.text(name)),
    ) ||
    pythonTests(project)
      .slice(0, 20)
      .some((name) => /^\s*(import|from) pytest|^(async )?def test_/m.test(project.text(name))),
  command: (_, { path, filter }) => [
    ...['python3', '-m', 'pytest', '-p', 'no:cacheprovider', '-ojunit_family=xunit1', '--junitxml=@report/report.xml'],
    ...some(filter, (text) => ['-k', text]),
    ...some(path, (text) => [text]),
  ],
  read: ({ report }, root) => readJunitReport(report, root),
}

const unittest: TestRunner = {
  name: 'unittest',
  fits: (project) => pythonTests(project).length > 0,
  command: (project, { path, filter }) => {
    const words = path === undefined ? startOf(project) : path.endsWith('.py') ? [path] : ['discover', '-v', '-s', path]
    return [
      'python3',
      '-m',
      'unittest',
      ...words,
      ...(words[0] === 'discover' ? [] : ['-v']),
      ...some(filter, (text) => ['-k', text]),
    ]
  },
  read: readUnittestOutput,
}

/** Where unittest looks for tests: a folder of tests without __init__.py is not found by itself. */
function startOf(project: Project): readonly string[] {
  const folder = ['tests', 'test'].find((name) => project.names(name).some((one) => PYTHON_TEST.test(one)))
  return folder === undefined || project.has(`${folder}/__init__.py`)
    ? ['discover', '-v']
    : ['discover', '-v', '-s', folder]
}

const go: TestRunner = {
  name: 'go test',
  fits: (project) => project.has('go.mod'),
  command: (_, { path, filter }) => {
    const folder = path?.replace(/\/?[^/]+\.go$/, '') ?? ''
    return [
      'go',
      'test',
      '-json',
      ...some(filter, (text) => ['-run', escapeRegExp(text)]),
      folder === '' || folder === '.' ? './...' : `./${folder}/...`,
    ]
  },
  read: ({ stdout }) => readGoReport(stdout),
}

const cargo: TestRunner = {
  name: 'cargo test',
  fits: (project) => project.has('Cargo.toml'),
  command: (_, { filter }) => ['cargo', 'test', '--no-fail-fast', ...some(filter, (text) => ['--', text])],
  read: readCargoOutput,
}

const maven: TestRunner = {
  name: 'mvn test',
  fits: (project) => project.has('pom.xml'),
  command: (project, { filter }) => [
    project.has('mvnw') ? './mvnw' : 'mvn',
    '-B',
    ...some(filter, (text) => [`-Dtest=${text}`]),
    'test',
  ],
  reports: ['target/surefire-reports', '*/target/surefire-reports'],
  read: ({ report }, root) => readJunitReport(report, root),
}

const gradle: TestRunner = {
  name: 'gradle test',
  fits: (project) =>
    ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'].some((name) => project.has(name)),
  command: (project, { filter }) => [
    project.has('gradlew') ? './gradlew' : 'gradle',
    '--console=plain',
    'test',
    ...some(filter, (text) => ['--tests', text]),
  ],
  reports: ['build/test-results/test', '*/build/test-results/test'],
  read: ({ report }, root) => readJunitReport(report, root),
}

const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile']

const make: TestRunner = {
  name: 'make',
  fits: (project) => targetOf(project) !== undefined,
  command: (project) => ['make', targetOf(project) ?? 'test'],
  read: readAnyOutput,
}

function targetOf(project: Project): string | undefined {
  const text = MAKEFILES.map((name) => (project.has(name) ? project.text(name) : '')).join('\n')
  return ['test', 'tests', 'check'].find((target) => new RegExp(`^${target}\\s*:(?!=)`, 'm').test(text))
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** All runners, in the order in which they are tried. */
export const RUNNERS: readonly TestRunner[] = [
  vitest,
  jest,
  nodeTest,
  packageScript,
  pytest,
  go,
  cargo,
  maven,
  gradle,
  make,
  unittest,
]
