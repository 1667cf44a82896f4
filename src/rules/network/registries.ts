/** Where a registry is named: an address found by `replaces` is used in place of the usual hosts, one found by `adds` beside them. The first group holds the address. */
export interface Naming {
  readonly replaces?: RegExp
  readonly adds?: RegExp
}

/** The package managers of one language, the hosts they use, and what names others. */
export interface Registry {
  readonly commands: readonly string[]
  readonly usual: readonly string[]
  /** Matched against `--option=value`, also where the command gives them as two words. */
  readonly options?: Naming
  /** Matched against `NAME=value` of variables that the command line sets; none come from outside. Rules deny those that are missing here, such as PIP_INDEX_URL. */
  readonly variables?: Naming
  /** Files of the project. */
  readonly files?: Readonly<Record<string, Naming>>
  /** Files that an option names. */
  readonly furtherFiles?: { readonly option: RegExp; readonly naming: Naming }
}

const NPM_FILES: Registry['files'] = {
  '.npmrc': { replaces: /^\s*registry\s*=(.*)$/gm, adds: /^\s*@[^\s:]+:registry\s*=(.*)$/gm },
  '.yarnrc.yml': { replaces: /^npmRegistryServer:(.*)$/gm, adds: /^\s+npmRegistryServer:(.*)$/gm },
  'bunfig.toml': { replaces: /^\s*registry\s*=(.*)$/gm },
  'package-lock.json': { adds: /"resolved": "(?:git\+)?(https?:[^"]*)"/g },
}
const NPM: Omit<Registry, 'commands' | 'usual'> = {
  options: { replaces: /^--registry=(.*)$/ },
  variables: { replaces: /^(?:YARN_NPM_REGISTRY_SERVER|COREPACK_NPM_REGISTRY)=(.*)$/ },
  files: NPM_FILES,
}

const PYTHON_URL = /^\s*(?:url|index-url)\s*=\s*"(.*)"/gm
const PIP_CONF: Naming = { replaces: /^\s*index-url\s*=(.*)$/gm, adds: /^\s*(?:extra-index-url|find-links)\s*=(.*)$/gm }

/** What is known of registries. Files of the home folder are missing: commands have an empty one. */
export const REGISTRIES: readonly Registry[] = [
  {
    commands: ['npm', 'npx', 'pnpm', 'pnpx', 'bun', 'bunx', 'ncu', 'npm-check-updates'],
    usual: ['registry.npmjs.org'],
    ...NPM,
  },
  { commands: ['yarn'], usual: ['registry.npmjs.org', 'registry.yarnpkg.com'], ...NPM },
  { commands: ['corepack'], usual: ['registry.npmjs.org', 'repo.yarnpkg.com'], ...NPM },
  {
    commands: ['pip', 'pip3', 'pipx', 'uv', 'uvx', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye'],
    usual: ['pypi.org', 'files.pythonhosted.org'],
    options: {
      replaces: /^(?:-i|--index-url|--default-index|--index)=(.*)$/,
      adds: /^(?:--extra-index-url|-f|--find-links)=(.*)$/,
    },
    variables: {
      replaces: /^UV_(?:INDEX_URL|DEFAULT_INDEX)=(.*)$/,
      adds: /^UV_(?:INDEX|EXTRA_INDEX_URL)=(.*)$/,
    },
    files: {
      '.venv/pip.conf': PIP_CONF,
      'venv/pip.conf': PIP_CONF,
      'uv.toml': { replaces: PYTHON_URL },
      'pyproject.toml': { adds: PYTHON_URL },
      Pipfile: { replaces: PYTHON_URL },
    },
    furtherFiles: {
      option: /^(?:-r|--requirement|-c|--constraint)=(.*)$/,
      naming: { replaces: /^\s*(?:-i|--index-url)[\s=]+(.*)$/gm, adds: /^[^#\n]*?(https?:\/\/\S+)/gm },
    },
  },
  {
    commands: ['cargo'],
    usual: ['index.crates.io', 'static.crates.io', 'crates.io'],
    variables: { adds: /^CARGO_REGISTRIES_\w+_INDEX=(.*)$/ },
    files: {
      '.cargo/config.toml': { replaces: /^\s*registry\s*=\s*"(.*)"/gm, adds: /^\s*index\s*=\s*"(.*)"/gm },
      '.cargo/config': { replaces: /^\s*registry\s*=\s*"(.*)"/gm, adds: /^\s*index\s*=\s*"(.*)"/gm },
      'Cargo.toml': { adds: /\bgit\s*=\s*"(.*?)"/gm },
    },
  },
  {
    commands: ['go'],
    usual: ['proxy.golang.org', 'sum.golang.org', 'storage.googleapis.com'],
    variables: { replaces: /^GOPROXY=(.*)$/ },
  },
  {
    commands: ['gem', 'bundle', 'bundler'],
    usual: ['rubygems.org', 'index.rubygems.org'],
    options: { replaces: /^(?:--source|-s)=(.*)$/ },
    files: { Gemfile: { replaces: /^\s*source[\s(]+["'](.*)["']/gm } },
  },
  {
    commands: ['composer'],
    usual: ['repo.packagist.org', 'packagist.org', 'api.github.com', 'codeload.github.com'],
    files: { 'composer.json': { adds: /"url":\s*"(https?:[^"]*)"/g } },
  },
]
