import { type BuiltProgram, buildProgram, type Ended, haft } from './built-program.ts'
import { type Answer, type ModelServer, startModelServer } from './model-server/model-server.ts'
import { ollamaReply, openAiReply, type ScriptedReply } from './model-server/scripted-reply.ts'

/** The wires that a scripted server speaks. */
export type Wire = 'openai' | 'ollama'

/** A copy of the built program and a server whose replies are written in the test. */
export interface RunSetup {
  readonly program: BuiltProgram
  readonly server: ModelServer
  /** Runs `haft run …` against the server. */
  run(args: readonly string[], options?: Parameters<typeof haft>[2]): Promise<Ended>
  /** The arguments and the environment of such a run. */
  readonly model: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts a server that gives these replies in order; the last one repeats. */
export async function setUpRun(wire: Wire, replies: readonly (ScriptedReply | Answer)[]): Promise<RunSetup> {
  const answerOf = wire === 'openai' ? openAiReply : ollamaReply
  const chats = replies.map((reply) => (typeof reply === 'function' ? reply : answerOf(reply)))
  const server = await startModelServer({ chats })
  const program = buildProgram()
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k', OLLAMA_HOST: server.url }
  const model = `${wire}:test`
  return {
    ...{ program, server, model, env },
    run: (args, options = {}) =>
      haft(program, ['run', ...args, '--model', model], { ...options, env: { ...env, ...options.env } }),
  }
}

/** The events that `--json` printed. */
export function eventsOf({
  stdout,
}: Ended): { type: string; session: string; id: string; [member: string]: unknown }[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
