import { ToolError } from '../core/call/result.ts'
import { answerRun, RUN_OUTPUT } from '../core/call/run-answer.ts'
import { MAX_ARGUMENT_BYTES, type RunOrder, SCRIPT_PLACE } from '../core/ports/sandbox.ts'
import { array, boolean, number, objectSchema, oneOf, optional, record, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'

const SECONDS = 60
const NO_NUL = '^[^\\0]*$'

/** Runs the file as the main module, with the workspace first on the module path, as `python -c` does. */
const START_PYTHON =
  "import sys;sys.argv=sys.argv[1:];__file__=sys.argv[0];exec(compile(open(__file__,'rb').read(),__file__,'exec'))"

const STARTS = {
  python: ['python3', '-c', START_PYTHON, SCRIPT_PLACE],
  bash: ['bash', SCRIPT_PLACE],
} as const

export default defineTool({
  name: 'run_code',
  description:
    'Run Python or bash code in the workspace. Sandboxed: no network, no files outside the workspace; time, memory and output are limited. File changes are kept only if the program ends by itself.',
  input: objectSchema({
    language: oneOf(['python', 'bash'], 'Language'),
    code: string('Source code', { minLength: 1, maxLength: 60_000, pattern: NO_NUL }),
    args: optional(
      array(string('Argument', { maxLength: 30_000, pattern: NO_NUL }), 'Program arguments', {
        maxItems: 1000,
      }),
    ),
    env: optional(record(string('Value', { maxLength: 30_000, pattern: NO_NUL }), 'Extra environment variables')),
    live: optional(boolean('Work on the workspace itself, for servers and watchers; always asks')),
    timeout: optional(number('Seconds, default 60', { minimum: 1, maximum: 600 })),
  }),
  argumentAliases: { language: ['lang'], code: ['source', 'sourceCode', 'script'] },
  output: RUN_OUTPUT,
  effect: 'run',
  approval: ({ live }) => live === true,
  main: 'code',
  timeout: ({ timeout }) => timeout ?? SECONDS,
  touches: ({ language, code }) => [runs(language === 'bash' ? code : `python3 -c ${quote(code)}`, { isFree: true })],
  prepare({ code, args = [], env = {} }) {
    checkNames(Object.keys(env))
    checkSize([...args, ...Object.entries(env).flat()])
    return { preview: { kind: 'text', text: code } }
  },
  dryRun: async (input, { dryRun }) =>
    answerRun(await dryRun({ ...orderOf(input), limits: { seconds: input.timeout ?? SECONDS } })),
  execute: async (input, { run, delta }) =>
    answerRun(await run({ ...orderOf(input), output: (_stream, text) => delta(text) })),
})

interface Program {
  readonly language: keyof typeof STARTS
  readonly code: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly live?: boolean
}

function orderOf({ language, code, args = [], env = {}, live }: Program): RunOrder {
  return { argv: [...STARTS[language], ...args], script: code, env, ...(live && { direct: true }) }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function checkNames(names: readonly string[]): void {
  const wrong = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]{0,200}$/.test(name))
  if (wrong === undefined) return
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `env: ${JSON.stringify(wrong.slice(0, 100))} is not a valid variable name; use letters, digits and _.`,
  )
}

/** Assumes the worst case of UTF-8: three bytes for each UTF-16 unit. */
function checkSize(words: readonly string[]): void {
  const size = words.reduce((sum, word) => sum + word.length * 3 + 16, 0)
  if (size <= MAX_ARGUMENT_BYTES) return
  throw new ToolError(
    'TOO_LARGE',
    'args and env together are too large to pass to a program; write the data to a file instead.',
  )
}
