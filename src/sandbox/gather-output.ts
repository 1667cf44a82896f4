import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { OutputStream } from '../core/ports/sandbox.ts'

/** The output of a run so far. */
export interface Gathered {
  text(stream: OutputStream): string
}

interface OutputOptions {
  readonly streams: Readonly<Record<OutputStream, Readable>>
  /** The limit for both streams together, in bytes. */
  readonly limit: number
  output?(stream: OutputStream, text: string): void
  /** Called once, when the output exceeds the limit; later output is dropped. */
  flooded(): void
}

/** Collects both streams separately and passes on each piece as it arrives, never splitting a character. */
export function gatherOutput({ streams, limit, output, flooded }: OutputOptions): Gathered {
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
