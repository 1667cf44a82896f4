import { ERROR_CODES, isErrorCode, type Outcome } from '../../core/call/codes.ts'
import { type Handlers, type RequestParts, SENT } from '../context.ts'
import { HttpError } from '../request/http-error.ts'

export const eventHandlers: Handlers<'followSession' | 'followAll' | 'listEvents' | 'listCalls'> = {
  async followSession({ id, after }, request) {
    const [known] = await request.home.log.sessions({ session: id, limit: 1 })
    if (!known) throw new HttpError('FILE_NOT_FOUND', `There is no session ${JSON.stringify(id)}.`)
    const from = lastEventId(request) ?? after ?? 0
    request.streams.add(request.outgoing, { session: id, detailed: NONE, after: from })
    return SENT
  },
  async followAll({ sessions, after }, request) {
    const from = lastEventId(request) ?? after ?? (await request.home.log.end())
    const detailed = new Set(sessions?.split(',').filter((one) => one !== ''))
    request.streams.add(request.outgoing, { session: undefined, detailed, after: from })
    return SENT
  },
  async listEvents({ session, call, after, limit = 1_000 }, { home }) {
    if (session === undefined && call === undefined)
      throw new HttpError('INVALID_ARGUMENTS', 'Name a session or a call.')
    const events = await home.log.read({
      limit,
      ...(session !== undefined && { session }),
      ...(call !== undefined && { call }),
      ...(after !== undefined && { after }),
    })
    return {
      events: events.flatMap((event) => (event.cursor === undefined ? [] : [{ ...event, cursor: event.cursor }])),
    }
  },
  async listCalls({ outcome, q = '', ...given }, { home }) {
    const filter = { ...given, ...(outcome !== undefined && { outcome: outcomeOf(outcome) }) }
    return { calls: await (q.trim() === '' ? home.log.calls(filter) : home.log.searchCalls(q, filter)) }
  },
}

const NONE: ReadonlySet<string> = new Set()

/** The cursor that a reader has reached, as it sends it when it comes back. */
function lastEventId({ incoming }: RequestParts): number | undefined {
  const given = incoming.headers['last-event-id']
  if (given === undefined || given === '') return undefined
  if (typeof given !== 'string' || !/^\d{1,15}$/.test(given))
    throw new HttpError('INVALID_ARGUMENTS', 'Last-Event-ID must be the id of an event.')
  return Number(given)
}

function outcomeOf(given: string): Outcome {
  if (given === 'ok' || isErrorCode(given)) return given
  throw new HttpError('INVALID_ARGUMENTS', `outcome must be ok or one of ${ERROR_CODES.join(', ')}.`)
}
