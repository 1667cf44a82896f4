import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { ToolError } from '../core/call/result.ts'

/** The compressions that are understood, as the header of a request lists them. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** The most compressions one over the other. */
const MAX_CODINGS = 3

/** What was read of a body. */
export interface ReadBody {
  readonly bytes: Uint8Array
  readonly isCut: boolean
}

/** Reads a body up to a limit that counts decompressed bytes. Nothing beyond the limit is kept or decompressed. */
export async function readBody(body: Readable, coding: string, limit: number): Promise<ReadBody> {
  const decoded = decode(body, coding)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoded) {
      // Streams of bytes yield buffers.
      const piece = chunk as Buffer
      chunks.push(piece.subarray(0, limit - size))
      size += piece.length
      if (size > limit) return { bytes: Buffer.concat(chunks), isCut: true }
    }
    return { bytes: Buffer.concat(chunks), isCut: false }
  } finally {
    decoded.destroy()
    // A body that is not read to its end reports that as an error.
    body.on('error', () => undefined)
    body.destroy()
  }
}

function decode(body: Readable, coding: string): Readable {
  const codings = coding
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity')
  if (codings.length > MAX_CODINGS)
    throw new ToolError(
      'EXECUTION_ERROR',
      `The response is compressed ${codings.length} times over; at most ${MAX_CODINGS} are read.`,
    )
  return codings.reduceRight<Readable>((stream, one) => {
    const make = DECODERS[one]
    if (make === undefined)
      throw new ToolError('EXECUTION_ERROR', `The response is compressed as "${one}", which is not known.`)
    return pipeline(stream, make(), () => undefined)
  }, body)
}
