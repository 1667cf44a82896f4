import { readFileSync } from 'node:fs'
import { isAbsolute, normalize } from 'node:path'
import { type Members, YamlReader } from '../../agent/yaml/yaml-reader.ts'
import { reasonOf } from '../../core/call/result.ts'
import { MODES, type Mode } from '../../core/session/mode.ts'
import { type Suite, SuiteError, type SuiteTask } from './suite.ts'

/** Seconds for a task that names no limit. */
const TIME_LIMIT = 300
const KEYS = [
  ...['name', 'prompt', 'files', 'verify', 'verify_files', 'time_limit', 'max_steps', 'tools', 'needs', 'mode'],
]

/** Reads a suite file. Throws SuiteError with file, line and column where it is not one. */
export function readSuite(path: string): Suite {
  return parseSuite(readText(path), path)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw new SuiteError(`The suite ${path} cannot be read: ${reasonOf(thrown)}`)
  }
}

/** Reads the text of a suite file; `path` is for errors. */
export function parseSuite(text: string, path: string): Suite {
  const reader = new YamlReader({
    text,
    expected: 'a list "tasks"',
    fail: (wrong, { line, column }) => new SuiteError(`${path}:${line}:${column}: ${wrong}`),
  })
  const root = reader.root(['tasks'])
  const nodes = reader.list(required(reader, root, ['tasks', 'the file']), 'tasks')
  if (nodes.length === 0) throw reader.wrong(root.found.get('tasks'), 'tasks: expected at least one task')
  const names = new Set<string>()
  const tasks = nodes.map((node, index) => {
    const task = readTask(reader, reader.members(node, `task ${index + 1}`, KEYS), index)
    if (names.has(task.name)) throw reader.wrong(node, `task ${index + 1}: the name ${task.name} is taken already`)
    names.add(task.name)
    return task
  })
  return { tasks }
}

function required(reader: YamlReader, { node, found }: Members, [key, what]: readonly [string, string]): unknown {
  if (found.has(key)) return found.get(key)
  throw reader.wrong(node, `${what}: ${key} is missing`)
}

function readTask(reader: YamlReader, members: Members, index: number): SuiteTask {
  const { found } = members
  const text = (key: string, what: string): string => {
    const node = required(reader, members, [key, what])
    const given = reader.text(node, `${what}: ${key}`)
    if (given.trim() === '') throw reader.wrong(node, `${what}: ${key} is empty`)
    return given
  }
  const name = text('name', `task ${index + 1}`)
  if (!/^[a-z0-9][a-z0-9-]{0,60}$/.test(name))
    throw reader.wrong(found.get('name'), `task ${index + 1}: name: expected lower-case letters, digits and hyphens`)
  const number = (key: string, range: readonly [number, number]) =>
    found.has(key) ? reader.number(found.get(key), `${name}: ${key}`, range) : undefined
  const words = (key: string) =>
    found.has(key)
      ? reader.list(found.get(key), `${name}: ${key}`).map((node) => reader.text(node, `${name}: ${key}`))
      : undefined
  const maxSteps = number('max_steps', [1, 10_000])
  const tools = words('tools')
  const mode = found.has('mode') ? readMode(reader, found.get('mode'), name) : undefined
  return {
    name,
    prompt: text('prompt', name),
    files: readFiles(reader, members, [name, 'files']),
    verify: text('verify', name),
    verifyFiles: readFiles(reader, members, [name, 'verify_files']),
    timeLimit: number('time_limit', [1, 86_400]) ?? TIME_LIMIT,
    needs: words('needs') ?? [],
    ...(maxSteps !== undefined && { maxSteps }),
    ...(tools && { tools }),
    ...(mode && { mode }),
  }
}

function readMode(reader: YamlReader, node: unknown, name: string): Mode {
  const given = reader.text(node, `${name}: mode`)
  const mode = MODES.find((one) => one === given)
  if (mode === undefined) throw reader.wrong(node, `${name}: mode: expected ${MODES.join(', ')}`)
  return mode
}

/** Files by their path below the workspace. */
function readFiles(
  reader: YamlReader,
  { found }: Members,
  [name, key]: readonly [string, string],
): Readonly<Record<string, string>> {
  if (!found.has(key)) return {}
  const what = `${name}: ${key}`
  const files: Record<string, string> = {}
  const given = reader.members(found.get(key), what)
  for (const [path, node] of given.found) {
    const isInside = path !== '' && !isAbsolute(path) && !/(^|\/)\.\.(\/|$)|\0|\/$/.test(normalize(path))
    if (!isInside) throw reader.wrong(node, `${what}: ${JSON.stringify(path)} is not a path below the workspace`)
    files[path] = reader.text(node, `${what}: ${path}`)
  }
  return files
}
