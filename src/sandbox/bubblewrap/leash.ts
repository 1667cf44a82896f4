/**
 * Starts the rest of a shell script's arguments in the background. Whatever ends the script then ends its whole process
 * group: bubblewrap, if we die while it starts, leaves a child that waits for ever and belongs to nobody.
 */
export const START_LEASHED = `exec 5<&0; "$@" <&5 4<&- 5<&- &
trap 'kill -KILL 0' EXIT`

/** Stays, holding nothing, until the leash is let go or we are dead. */
export const AWAIT_LEASH = `exec </dev/null >/dev/null 2>&1 3>&- 5<&-
read -r _ <&4`

/** A command on a leash. To be started in a process group of its own, and in no other. */
export function leashedCommand(command: readonly string[]): string[] {
  return ['/bin/sh', '-c', `${START_LEASHED}\n${AWAIT_LEASH}`, 'sh', ...command]
}
