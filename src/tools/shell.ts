import { answerRun, RUN_OUTPUT } from '../core/call/run-answer.ts'
import { type RunOrder, SCRIPT_PLACE } from '../core/ports/sandbox.ts'
import { number, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'

const SECONDS = 30

/** A command that is longer may not fit into one argument and goes by file. */
const SHORT = 30_000

export default defineTool({
  name: 'shell',
  aliases: ['run_command'],
  description:
    'Run a bash command in the workspace, in a sandbox: no network, no files outside the workspace, standard input closed. Gives stdout, stderr and the exit code.',
  input: objectSchema({
    command: string('The command line, for bash', { minLength: 1, maxLength: 100_000, pattern: '^[^\\0]*$' }),
    cwd: optional(
      string('Folder to start in, relative to the workspace', { minLength: 1, maxLength: 4096, pattern: '^[^\\0]*$' }),
    ),
    timeout: optional(number('Seconds it may take, 30 when left out', { minimum: 1, maximum: 600 })),
  }),
  output: RUN_OUTPUT,
  effect: 'run',
  main: 'command',
  timeout: ({ timeout }) => timeout ?? SECONDS,
  touches: ({ command, cwd }) => [runs(command, cwd === undefined ? {} : { cwd })],
  prepare: ({ command }) => ({ preview: { kind: 'command', text: command } }),
  rehearse: async (input, { rehearse }) =>
    answerRun(await rehearse({ ...orderOf(input), limits: { seconds: input.timeout ?? SECONDS } })),
  execute: async (input, { run, delta }) =>
    answerRun(await run({ ...orderOf(input), output: (_stream, text) => delta(text) })),
})

function orderOf({ command, cwd }: { readonly command: string; readonly cwd?: string }): RunOrder {
  const short = command.length <= SHORT
  return {
    argv: short ? ['bash', '-c', command] : ['bash', SCRIPT_PLACE],
    ...(!short && { script: command }),
    ...(cwd !== undefined && { cwd }),
  }
}
