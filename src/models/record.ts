import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { messageOf } from '../core/call/result.ts'
import { type Model, ModelError } from '../core/ports/model.ts'
import { describeRequest, isRecordingHead, type RecordedReply, type RecordingHead } from './recording/recording.ts'

/** What a recording holds. */
export interface RecordOptions {
  /** Leaves the requests out, so that a replay fits any: for runs in folders whose paths differ. */
  readonly repliesOnly?: boolean
}

/** A model whose replies are also written to a file of JSON lines, as `replay:FILE` reads it. An earlier recording is replaced; any other file is refused. */
export function recordModel(model: Model, path: string, { repliesOnly = false }: RecordOptions = {}): Model {
  let isBegun = false
  const begin = async () => {
    if (isBegun) return
    isBegun = true
    refuseOtherFile(path)
    const head: RecordingHead = { recording: 1, model: model.name, abilities: await model.abilities() }
    writeFileSync(path, `${JSON.stringify(head)}\n`, { mode: 0o600 })
  }
  const append = (reply: RecordedReply) => appendFileSync(path, `${JSON.stringify(reply)}\n`)
  return {
    name: model.name,
    abilities: () => model.abilities(),
    async *stream(request) {
      await begin()
      const described = repliesOnly ? {} : describeRequest(request)
      const pieces: ['text' | 'reasoning', string][] = []
      try {
        for await (const part of model.stream(request)) {
          if (part.type === 'text' || part.type === 'reasoning') pieces.push([part.type, part.text])
          if (part.type === 'reply') append({ ...described, pieces, reply: part.reply })
          yield part
        }
      } catch (thrown) {
        const retryable = thrown instanceof ModelError && thrown.retryable
        // A cancelled request says nothing about the model.
        if (!request.signal.aborted) append({ ...described, pieces, error: { message: messageOf(thrown), retryable } })
        throw thrown
      }
    },
  }
}

/** A name that was mistyped must not cost a file. */
function refuseOtherFile(path: string): void {
  if (!existsSync(path)) return
  const [first = ''] = readFileSync(path, 'utf8').split('\n', 1)
  if (first === '' || isRecordingHead(first)) return
  throw new ModelError(`${path} is not a recording of a model. Choose another file to record to.`)
}
