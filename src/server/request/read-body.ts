import type { IncomingMessage } from 'node:http'
import { findExcess } from '../../core/text/find-excess.ts'
import { findLoss } from '../../core/text/lossy-json.ts'
import { HttpError } from './http-error.ts'

/** The largest body where a route sets no other limit, in bytes. */
export const BODY_LIMIT = 1_000_000

/** The deepest nesting of a body: that of arguments, and the body around them. */
const MAX_DEPTH = 110

/** True if a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Reads a body of JSON. Rejects with HttpError: another content type, too large, cut off, not UTF-8, not JSON, nested too deeply, with too many members or values, or keys given twice. */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<unknown> {
  checkType(incoming)
  const text = decode(await collect(incoming, limit))
  const excess = findExcess(text, MAX_DEPTH)
  if (excess !== undefined) throw new HttpError('INVALID_ARGUMENTS', `The body is refused: ${excess}.`)
  const value = parse(text)
  const loss = findLoss(text)
  if (loss !== undefined) throw new HttpError('INVALID_ARGUMENTS', `The body is ambiguous: ${loss}.`)
  return value
}

function checkType({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? ''
  if (!/^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i.test(type.trim()))
    throw new HttpError('INVALID_ARGUMENTS', 'The body must be JSON, with Content-Type: application/json.', {
      status: 415,
    })
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpError('INVALID_ARGUMENTS', 'The body must not be compressed.', { status: 415 })
}

async function collect(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new HttpError('TOO_LARGE', `The body is larger than ${limit} bytes.`)
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of incoming.iterator({ destroyOnReturn: false })) {
      size += piece.length
      if (size > limit) break
      pieces.push(piece)
    }
  } catch {
    throw new HttpError('INVALID_ARGUMENTS', 'The body was cut off.')
  }
  if (size > limit) throw tooLarge()
  return Buffer.concat(pieces)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new HttpError('INVALID_ARGUMENTS', 'The body is not UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError('INVALID_ARGUMENTS', 'The body is not JSON.')
  }
}
