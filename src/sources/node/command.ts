import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Gives a program that is spoken to through standard input and output the descriptors of the protocol, and takes the standard ones away: what tools print is not mixed with answers. */
const MOVE_DESCRIPTORS = 'exec "$@" 3<&0 4>&1 </dev/null >&2'

/** A command line that starts Node with a program on those descriptors. */
export function commandFor(program: string, ...args: readonly string[]): readonly string[] {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning']
  return ['/bin/sh', '-c', MOVE_DESCRIPTORS, 'sh', ...node, program, findZod(), ...args]
}

/** The folder of the zod that tool files import, links resolved: where packages are linked into place, a sandbox shows this folder and not the link. */
export function findZod(): string {
  return dirname(createRequire(import.meta.url).resolve('zod/package.json'))
}
