/** Seconds that a call may take when its tool names no limit, and at most in the foreground. */
export const DEFAULT_SECONDS = 60
export const MAX_SECONDS = 600

/** The same for a call in the background that names no limit itself. */
export const TASK_SECONDS = 24 * 60 * 60

/** How long to wait for a tool that was asked to stop, in milliseconds. */
export const GRACE = 250
