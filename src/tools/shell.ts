import { answerRun, RUN_OUTPUT } from '../core/call/run-answer.ts'
import { type RunOrder, SCRIPT_PLACE } from '../core/ports/sandbox.ts'
import { array, boolean, integer, number, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'

const SECONDS = 30

/** A longer command may not fit into one argument and is passed as a file. */
const SHORT = 30_000

export default defineTool({
  name: 'shell',
  aliases: ['run_command'],
  description:
    'Run a bash command in the workspace; returns stdout, stderr and exit code. Sandboxed: no network except hosts that the user approves, no files outside the workspace, no stdin.',
  input: objectSchema({
    command: string('Command line', { minLength: 1, maxLength: 100_000, pattern: '^[^\\0]*$' }),
    cwd: optional(
      string('Start folder, relative to the workspace', { minLength: 1, maxLength: 4096, pattern: '^[^\\0]*$' }),
    ),
    live: optional(boolean('Work on the workspace itself, for servers and watchers; always asks')),
    ports: optional(
      array(
        integer('Port', { minimum: 1, maximum: 65_535 }),
        'Ports of a server it starts, to open on 127.0.0.1; asks',
        {
          maxItems: 10,
        },
      ),
    ),
    timeout: optional(number('Seconds, default 30', { minimum: 1, maximum: 600 })),
  }),
  argumentAliases: { command: ['cmd', 'commandLine'], cwd: ['workdir', 'workingDirectory'] },
  output: RUN_OUTPUT,
  effect: 'run',
  main: 'command',
  timeout: ({ timeout }) => timeout ?? SECONDS,
  touches: ({ command, cwd }) => [runs(command, cwd === undefined ? {} : { cwd })],
  prepare: ({ command }) => ({ preview: { kind: 'command', text: command } }),
  dryRun: async (input, { dryRun }) =>
    answerRun(await dryRun({ ...orderOf(input), limits: { seconds: input.timeout ?? SECONDS } })),
  execute: async (input, { run, delta }) =>
    answerRun(await run({ ...orderOf(input), output: (_stream, text) => delta(text) })),
})

interface Command {
  readonly command: string
  readonly cwd?: string
  readonly live?: boolean
  readonly ports?: readonly number[]
}

function orderOf({ command, cwd, live, ports }: Command): RunOrder {
  const short = command.length <= SHORT
  return {
    argv: short ? ['bash', '-c', command] : ['bash', SCRIPT_PLACE],
    ...(!short && { script: command }),
    ...(cwd !== undefined && { cwd }),
    ...(live && { direct: true }),
    ...(ports && { ports }),
  }
}
