import type { Project } from '../project/project-files.ts'

export const MANAGERS = ['npm', 'pnpm', 'yarn', 'pip', 'uv', 'cargo', 'go'] as const

export type ManagerName = (typeof MANAGERS)[number]

/** What to install. */
export interface Installing {
  readonly packages: readonly string[]
  readonly dev: boolean
  /** True if programs of the packages may run during the installation. */
  readonly scripts: boolean
}

/** One package manager. */
export interface Manager {
  /** The command line as a person would type it. */
  command(installing: Installing): readonly string[]
  /** Its own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** True if the project uses it. */
  fits(project: Project): boolean
}

const flag = (isSet: boolean, ...words: readonly string[]): readonly string[] => (isSet ? words : [])

/** All package managers. Where one runs programs of packages, that is off unless `scripts` is set. */
export const MANAGER_TABLE: Readonly<Record<ManagerName, Manager>> = {
  npm: {
    command: ({ packages, dev, scripts }) => [
      ...['npm', 'install', ...flag(!scripts, '--ignore-scripts'), ...flag(dev, '--save-dev')],
      ...['--no-audit', '--no-fund', '--', ...packages],
    ],
    fits: (project) =>
      project.has('package.json') && !['pnpm-lock.yaml', 'yarn.lock'].some((name) => project.has(name)),
  },
  pnpm: {
    command: ({ packages, dev, scripts }) => [
      'pnpm',
      'add',
      ...flag(!scripts, '--ignore-scripts'),
      ...flag(dev, '--save-dev'),
      ...packages,
    ],
    fits: (project) => project.has('pnpm-lock.yaml'),
  },
  yarn: {
    command: ({ packages, dev, scripts }) => [
      'yarn',
      'add',
      ...flag(!scripts, '--ignore-scripts'),
      ...flag(dev, '--dev'),
      ...packages,
    ],
    env: { YARN_ENABLE_SCRIPTS: '0' },
    fits: (project) => project.has('yarn.lock'),
  },
  pip: {
    command: ({ packages, scripts }) => [
      '.venv/bin/python',
      '-m',
      'pip',
      'install',
      ...flag(!scripts, '--only-binary=:all:'),
      ...packages,
    ],
    env: { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' },
    fits: (project) => project.has('.venv') && !project.has('uv.lock'),
  },
  uv: {
    command: ({ packages, dev, scripts }) => [
      'uv',
      'add',
      ...flag(!scripts, '--no-build'),
      ...flag(dev, '--dev'),
      ...packages,
    ],
    fits: (project) => project.has('uv.lock'),
  },
  cargo: {
    command: ({ packages, dev }) => ['cargo', 'add', ...flag(dev, '--dev'), ...packages],
    fits: (project) => project.has('Cargo.toml'),
  },
  go: {
    command: ({ packages }) => ['go', 'get', ...packages],
    fits: (project) => project.has('go.mod'),
  },
}
