import { writeSync } from 'node:fs'
import { type FromProcess, MESSAGES_OUT } from '../protocol.ts'

/** Sends a message; it is out when this returns, whatever the tool does next. */
export function send(message: FromProcess): void {
  sendText(JSON.stringify(message))
}

/** Sends a message that is JSON already. */
export function sendText(json: string): void {
  const bytes = Buffer.from(`${json}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(MESSAGES_OUT, bytes, at)
}
