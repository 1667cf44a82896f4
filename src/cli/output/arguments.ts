import { text } from 'node:stream/consumers'

/** A call's arguments as the command line gave them: nothing, JSON text, or `-` for all of standard input. */
export async function readArguments(given: string | undefined): Promise<string | undefined> {
  return given === '-' ? await text(process.stdin) : given
}
