/**
 * Starts the remaining arguments of a shell script in the background and kills the process group when the script ends.
 * Without this, bubblewrap would leave a child that waits for ever when we die while it starts.
 */
export const START_CHILD = `exec 5<&0; "$@" <&5 4<&- 5<&- &
trap 'kill -KILL 0' EXIT`

/** Waits, with all other descriptors closed, until the control pipe closes or we die. */
export const WAIT_FOR_RELEASE = `exec </dev/null >/dev/null 2>&1 3>&- 5<&-
read -r _ <&4`

/** Returns a command that ends with the control pipe. Must be started in its own process group. */
export function supervisedCommand(command: readonly string[]): string[] {
  return ['/bin/sh', '-c', `${START_CHILD}\n${WAIT_FOR_RELEASE}`, 'sh', ...command]
}
