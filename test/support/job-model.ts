import type { ModelRequest } from '../../src/index.ts'
import { type ScriptedModel, type ScriptedReply, scriptedModel } from './scripted-model.ts'

/** What a sub-agent of a plan sees. */
export interface JobTurn {
  readonly job: string
  /** What it was told. */
  readonly prompt: string
  /** Its replies so far, since it was told so. */
  readonly turn: number
  readonly request: ModelRequest
}

/** A model that replies by the job that it is given. */
export function jobModel(reply: (turn: JobTurn) => ScriptedReply | Promise<ScriptedReply>): ScriptedModel {
  return scriptedModel([
    (request) => {
      const told = request.messages.findLastIndex(
        ({ role, content }) => role === 'user' && content.includes('## Your job: '),
      )
      const prompt = request.messages[told]?.content ?? ''
      const [, job = ''] = /^## Your job: (\S+)$/m.exec(prompt) ?? []
      const turn = request.messages.slice(told).filter(({ role }) => role === 'assistant').length
      return reply({ job, prompt, turn, request })
    },
  ])
}

/** Ends a run, as a model does that thinks it is done. */
export function done(summary: string): ScriptedReply {
  return { calls: [{ name: 'task_complete', arguments: { summary } }] }
}

/** Writes a file. */
export function write(path: string, content: string): ScriptedReply {
  return { calls: [{ name: 'write_file', arguments: { path, content } }] }
}

/** A model's reply that comes only when the run is stopped. */
export function hang({ request }: JobTurn): Promise<ScriptedReply> {
  return new Promise((_, reject) =>
    request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true }),
  )
}
