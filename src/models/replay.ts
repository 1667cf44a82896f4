import { readFileSync } from 'node:fs'
import { reasonOf } from '../core/call/result.ts'
import { type Model, ModelError } from '../core/ports/model.ts'
import { isRecord } from '../core/text/json.ts'
import { parseJson } from './parse-json.ts'
import { findDivergence } from './recording/find-divergence.ts'
import { describeRequest, isRecordingHead, type RecordedReply, type RecordingHead } from './recording/recording.ts'

interface Recording {
  readonly head: RecordingHead
  readonly replies: readonly RecordedReply[]
}

/** A model that gives the replies of a recording, in their order. A request that differs from the recorded one is an error that says where. Throws ModelError where the file is no recording. */
export function replayModel(path: string, name: string): Model {
  const { head, replies } = readRecording(path)
  let used = 0
  return {
    name,
    abilities: async () => head.abilities,
    async *stream(request) {
      if (request.signal.aborted) throw new ModelError('The request was cancelled.', { cause: request.signal.reason })
      const at = used++
      const recorded = replies[at]
      const place = `The replay of ${path} diverges at request ${at + 1}`
      if (recorded === undefined) throw new ModelError(`${place}: the recording has only ${replies.length}.`)
      const divergence = findDivergence(recorded, describeRequest(request))
      if (divergence !== undefined) throw new ModelError(`${place} (line ${at + 2}): ${divergence}`)
      for (const [type, text] of recorded.pieces) yield { type, text }
      if (recorded.reply) yield { type: 'reply', reply: recorded.reply }
      else throw new ModelError(recorded.error?.message ?? 'The recording holds no reply.', { ...recorded.error })
    },
  }
}

function readRecording(path: string): Recording {
  const [first = '', ...lines] = readFile(path).split('\n')
  if (!isRecordingHead(first))
    throw new ModelError(`${path} is not a recording of a model: its first line is not the head of a recording.`)
  const head: RecordingHead = JSON.parse(first)
  const filled = lines.filter((line) => line.trim() !== '')
  return { head, replies: filled.map((line, at) => readReply(line, `${path}, line ${at + 2}`)) }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw new ModelError(`The recording ${path} cannot be read: ${reasonOf(thrown)}`)
  }
}

function readReply(line: string, place: string): RecordedReply {
  const value = parseJson(line)
  // The file is one of our own; what it must have to be replayed is checked.
  if (isRecord(value) && hasRequest(value) && Array.isArray(value.pieces)) return value as unknown as RecordedReply
  throw new ModelError(`${place} is not a recorded reply; the recording may have been cut off.`)
}

/** True where the request was recorded in full, or not at all. */
function hasRequest({ messages, tools }: Readonly<Record<string, unknown>>): boolean {
  return messages === undefined ? tools === undefined : Array.isArray(messages) && isRecord(tools)
}
