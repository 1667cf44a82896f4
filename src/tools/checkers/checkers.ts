import type { Project } from '../project/project-files.ts'

/** A type checker or linter. */
export interface Checker {
  readonly name: string
  readonly files: RegExp
  /** True if the project has settings for it. */
  fits(project: Project): boolean
  /** The arguments; `file` is relative to the folder of the project. */
  args(file: string): readonly string[]
}

const SCRIPTS = /\.[cm]?[jt]sx?$/
const PYTHON = /\.pyi?$/

const hasName = (project: Project, form: RegExp): boolean => project.names().some((name) => form.test(name))

/** The checkers that are quick enough for an edit where a project has chosen them. Those that build everything, as cargo does, are not. */
export const CHECKERS: readonly Checker[] = [
  {
    name: 'tsc',
    files: /\.[cm]?tsx?$/,
    fits: (project) => project.has('tsconfig.json'),
    args: () => ['--noEmit', '--pretty', 'false', '-p', '.'],
  },
  {
    name: 'biome',
    files: /\.([cm]?[jt]sx?|jsonc?|css|graphql|gql)$/,
    fits: (project) => hasName(project, /^biome\.jsonc?$/),
    args: (file) => ['lint', '--reporter=github', '--no-errors-on-unmatched', '--colors=off', `./${file}`],
  },
  {
    name: 'eslint',
    files: SCRIPTS,
    fits: (project) =>
      hasName(project, /^(eslint\.config\.[cm]?[jt]s|\.eslintrc(\..*)?)$/) ||
      project.manifest?.eslintConfig !== undefined,
    args: (file) => ['--format', 'json', '--no-color', `./${file}`],
  },
  {
    name: 'ruff',
    files: PYTHON,
    fits: (project) => hasName(project, /^\.?ruff\.toml$/) || /^\[tool\.ruff/m.test(project.text('pyproject.toml')),
    args: (file) => ['check', '--no-cache', '--quiet', '--output-format=concise', `./${file}`],
  },
  {
    name: 'mypy',
    files: PYTHON,
    fits: (project) => hasName(project, /^\.?mypy\.ini$/) || /^\[tool\.mypy\]/m.test(project.text('pyproject.toml')),
    args: (file) => ['--no-color-output', '--no-error-summary', '--cache-dir=/dev/null', `./${file}`],
  },
  {
    name: 'pyright',
    files: PYTHON,
    fits: (project) => project.has('pyrightconfig.json') || /^\[tool\.pyright\]/m.test(project.text('pyproject.toml')),
    args: (file) => [`./${file}`],
  },
  {
    name: 'go',
    files: /\.go$/,
    fits: (project) => project.has('go.mod'),
    args: (file) => ['vet', `./${file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''}`],
  },
]
