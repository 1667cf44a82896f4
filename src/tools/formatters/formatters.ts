import { dependsOn, type Project } from '../project/project-files.ts'

/** A program that formats files of some languages. */
export interface Formatter {
  readonly name: string
  readonly files: RegExp
  /** True if the project has chosen it, or if the language has just this one. */
  fits(project: Project): boolean
  /** The arguments before the files. */
  args(project: Project): readonly string[]
}

const hasAny = (project: Project, ...names: readonly string[]): boolean => names.some((name) => project.has(name))
const PYTHON = /\.pyi?$/

/** All formatters, in the order in which they are tried for a file: those that the project has chosen come first. */
export const FORMATTERS: readonly Formatter[] = [
  {
    name: 'biome',
    files: /\.([cm]?[jt]sx?|jsonc?|css|graphql|gql)$/,
    fits: (project) => hasAny(project, 'biome.json', 'biome.jsonc'),
    args: () => ['format', '--write', '--no-errors-on-unmatched', '--files-ignore-unknown=true', '--colors=off'],
  },
  {
    name: 'prettier',
    files: /\.([cm]?[jt]sx?|json5?|css|scss|less|html?|vue|mdx?|markdown|ya?ml|graphql|gql)$/,
    fits: (project) =>
      project.names().some((name) => /^(\.prettierrc(\..*)?|prettier\.config\..*)$/.test(name)) ||
      project.manifest?.prettier !== undefined ||
      dependsOn(project, 'prettier'),
    args: () => ['--write', '--ignore-unknown', '--log-level=warn', '--no-color'],
  },
  {
    name: 'ruff',
    files: PYTHON,
    fits: (project) =>
      hasAny(project, 'ruff.toml', '.ruff.toml') || /^\[tool\.ruff/m.test(project.text('pyproject.toml')),
    args: () => ['format', '--quiet', '--no-cache'],
  },
  { name: 'black', files: PYTHON, fits: () => true, args: () => ['--quiet'] },
  { name: 'gofmt', files: /\.go$/, fits: () => true, args: () => ['-w'] },
  {
    name: 'rustfmt',
    files: /\.rs$/,
    fits: () => true,
    args: (project) => [
      '--quiet',
      '--edition',
      /^edition\s*=\s*"(\d{4})"/m.exec(project.text('Cargo.toml'))?.[1] ?? '2021',
    ],
  },
  {
    name: 'clang-format',
    files: /\.(c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|proto)$/,
    fits: (project) => hasAny(project, '.clang-format', '_clang-format'),
    args: () => ['-i', '--style=file'],
  },
]
