import type { DescribedRequest, RecordedMessage, RecordedReply } from './recording.ts'

/** The first difference between a recorded request and the present one, in words; undefined where there is none, and for a reply that was recorded without its request. */
export function findDivergence(
  { tools, messages }: Pick<RecordedReply, 'messages' | 'tools'>,
  present: DescribedRequest,
): string | undefined {
  const ofTools = tools && findToolDivergence(tools, present.tools)
  return ofTools ?? (messages && findMessageDivergence(messages, present.messages))
}

type Tools = DescribedRequest['tools']

function findToolDivergence(recorded: Tools, present: Tools): string | undefined {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(present)])].sort()
  const changes = names.flatMap((name) => {
    if (recorded[name] === present[name]) return []
    if (present[name] === undefined) return [`${name} is missing`]
    return [recorded[name] === undefined ? `${name} is new` : `${name} is defined otherwise`]
  })
  return changes.length === 0 ? undefined : `the tools are others: ${changes.join(', ')}.`
}

function findMessageDivergence(
  recorded: readonly RecordedMessage[],
  present: readonly RecordedMessage[],
): string | undefined {
  const length = Math.max(recorded.length, present.length)
  for (let at = 0; at < length; at++) {
    const [before, now] = [recorded[at], present[at]]
    if (now === undefined) return `message ${at + 1} of the turn is missing: ${describe(before)}.`
    if (before === undefined) return `message ${at + 1} of the turn is new: ${describe(now)}.`
    if (JSON.stringify(before) !== JSON.stringify(now))
      return `message ${at + 1} of the turn (${roleOf(now)}) is another: ${compare(before, now)}.`
  }
  return undefined
}

function roleOf({ role, name }: RecordedMessage): string {
  return role === 'tool' ? `result of ${String(name)}` : role
}

function describe(message: RecordedMessage | undefined): string {
  return message === undefined ? 'none' : `${roleOf(message)} ${excerpt(String(message.content), 0)}`
}

/** What stands on both sides where they part. */
function compare(before: RecordedMessage, now: RecordedMessage): string {
  if (roleOf(before) !== roleOf(now)) return `it was ${describe(before)}`
  const [then, present] = [String(before.content), String(now.content)]
  if (then === present) return 'its attachments are others'
  let place = 0
  while (then[place] === present[place]) place++
  return `from character ${place + 1} on it was ${excerpt(then, place)} and is ${excerpt(present, place)}`
}

/** How much of a text is shown. */
const SHOWN = 60

function excerpt(text: string, from: number): string {
  const rest = text.slice(from, from + SHOWN)
  return `${JSON.stringify(rest)}${text.length > from + SHOWN ? '…' : ''}`
}
