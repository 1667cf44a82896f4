import { readdirSync, readFileSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/** Closes every descriptor above `$0`, then executes the remaining arguments. */
const CLOSE = 'for n in $(ls /proc/$$/fd); do [ "$n" -gt "$0" ] && eval "exec $n>&-"; done; exec "$@"'

/** Returns a command without the descriptors above `last` that our parent left open and a child would inherit. */
export function withoutStrayDescriptors(argv: readonly string[], last: number): readonly string[] {
  return hasStrays() ? ['/bin/bash', '--norc', '-c', CLOSE, `${last}`, ...argv] : argv
}

let known: boolean | undefined

/** Checked once: descriptors that we open ourselves are closed when a program starts. */
function hasStrays(): boolean {
  known ??= readdirSync('/proc/self/fdinfo').some((name) => Number(name) > 2 && isInherited(name))
  return known
}

function isInherited(name: string): boolean {
  try {
    const flags = /^flags:\s+0?(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'))?.[1] ?? ''
    return flags !== '' && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    return false
  }
}
