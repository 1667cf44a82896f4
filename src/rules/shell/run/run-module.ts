import { applyArgument } from '../arguments/apply-argument.ts'
import { readLoosePaths } from '../arguments/read-loose-paths.ts'
import { readCode } from '../code/read-code.ts'
import { readScriptWords } from '../code/read-script-words.ts'
import { MARKS } from '../marks.ts'
import { act, directory, type Output, type ShellState, wrapped } from '../shell-state.ts'
import { fillFolder } from './fill-folder.ts'
import { runFile } from './run-file.ts'

interface ModuleCall {
  /** From `-m` on. */
  readonly words: readonly string[]
  readonly input: Output
  readInput(state: ShellState, name: string, input: Output): Output
}

/** Modules that are also commands with the same name. */
const COMMANDS =
  /^(pip|pytest|unittest|coverage|mypy|black|ruff|isort|flake8|pylint|pyright|bandit|yapf|autopep8|vulture|nox|tox|twine|poetry|pipenv|pdm|hatch|uv|pre_commit|celery|alembic)$/
const SERVERS = /^(http\.server|SimpleHTTPServer|ftplib|smtpd|telnetlib|pyftpdlib|twisted|aiosmtpd)/
const FETCHERS = /^(ensurepip|easy_install|webbrowser|antigravity|urllib|socket)/
/** Modules that run a script from their arguments. */
const RUNNERS = /^(cProfile|profile|pdb|trace|runpy|zipapp|memory_profiler|line_profiler|kernprof|viztracer|debugpy)$/

/** Reads `python -m module …`: the effects of the module and its arguments. */
export function runModule(state: ShellState, { words, input, readInput }: ModuleCall): Output {
  const [first = '', ...others] = words
  const attached = /^-[A-Za-z]*?m(.*)$/s.exec(first)?.[1] ?? ''
  const [module = '', ...rest] = attached === '' ? others : [attached, ...others]
  const shown = `python -m ${module}`
  if (COMMANDS.test(module)) return state.parts.runWords(wrapped(state), [module.replace('_', '-'), ...rest], input)
  const address = rest[rest.findIndex((word) => /^(-b|--bind)$/.test(word)) + 1] ?? ''
  const isLocal = rest.some((word) => /^(-b|--bind)$/.test(word)) && /^(127\.[\d.]+|localhost|::1)$/.test(address)
  if (SERVERS.test(module) && !isLocal) act(state, 'publish', shown)
  if (FETCHERS.test(module)) act(state, 'install', shown)
  if (module === 'django') return state.parts.runWords(wrapped(state), ['django-admin', ...rest], input)
  if (module === 'code' || module === 'asyncio') return readInput(state, 'python', input)
  if (module === 'sqlite3') return state.parts.runWords(wrapped(state), ['sqlite3', ...rest], input)
  readLoosePaths(state, rest)
  readScriptWords(state, { language: 'python', words: rest, input })
  if (/^-\w*i/.test(first) && input.text !== '') readInput(state, 'python', input)
  const operands = rest.filter((word) => !word.startsWith('-'))
  if (/^(zipfile|tarfile)$/.test(module) && /^(-e|--extract)$/.test(rest[0] ?? ''))
    fillFolder(state, { folder: operands[1] ?? directory(state), source: operands[0] })
  for (const word of operands) {
    if (module === 'timeit' || module === 'pdb') readCode(state, 'python', word)
    if (RUNNERS.test(module) && /[/.]/.test(word)) runFile(state, { path: word, words: [], input, language: 'python' })
    else applyArgument(state, { role: 'argument', word, rest: [], name: 'python', input, modes: new Set(), operands })
  }
  return { text: MARKS.unknown, endless: false }
}
