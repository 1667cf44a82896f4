import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { OutputStream } from '../core/ports/sandbox.ts'

/** What a run has printed so far. */
export interface Gathered {
  text(stream: OutputStream): string
}

interface Hearing {
  readonly streams: Readonly<Record<OutputStream, Readable>>
  /** Bytes of both streams together. */
  readonly limit: number
  output?(stream: OutputStream, text: string): void
  /** Called once, when more was printed than the limit; what comes after it is dropped. */
  flooded(): void
}

/** Gathers both streams apart and hands on every piece as it comes, whole characters only. */
export function gatherOutput({ streams, limit, output, flooded }: Hearing): Gathered {
  let left = limit
  const texts: Record<OutputStream, string> = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8')
    const take = (text: string) => {
      if (text === '') return
      texts[name] += text
      output?.(name, text)
    }
    streams[name].on('data', (chunk: Buffer) => {
      if (left < 0) return
      take(decoder.write(chunk.subarray(0, left)))
      left -= chunk.length
      if (left < 0) flooded()
    })
    streams[name].on('end', () => take(decoder.end()))
    streams[name].on('error', () => undefined)
  }
  return { text: (stream) => texts[stream] }
}
