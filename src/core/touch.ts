/** One thing a call would touch. Rules, grants, undo, preview and parallel running read these. */
export type Touch =
  | { readonly kind: 'reads'; readonly path: string }
  | { readonly kind: 'writes'; readonly path: string }
  | { readonly kind: 'runs'; readonly command: string; readonly cwd?: string }
  | { readonly kind: 'dials'; readonly host: string }

/** The call reads this path. */
export const reads = (path: string): Touch => ({ kind: 'reads', path })

/** The call changes, creates or deletes this path. */
export const writes = (path: string): Touch => ({ kind: 'writes', path })

/** The call runs this command line, in that folder of the workspace. */
export const runs = (command: string, cwd?: string): Touch => ({
  kind: 'runs',
  command,
  ...(cwd !== undefined && { cwd }),
})

/** The call speaks to this host. */
export const dials = (host: string): Touch => ({ kind: 'dials', host })

/** A touch in words for people: "writes notes.txt". */
export function describeTouch(touch: Touch): string {
  if (touch.kind === 'runs') return `runs ${touch.command}`
  if (touch.kind === 'dials') return `dials ${touch.host}`
  return `${touch.kind} ${touch.path}`
}
