import { text } from 'node:stream/consumers'

/** Returns the arguments of a call as the command line gives them: undefined, JSON text, or with `-` all of stdin. */
export async function readArguments(given: string | undefined): Promise<string | undefined> {
  return given === '-' ? await text(process.stdin) : given
}
