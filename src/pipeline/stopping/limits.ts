/** The default time limit of a call in seconds, and the largest one in the foreground. */
export const DEFAULT_SECONDS = 60
export const MAX_SECONDS = 600

/** The default and largest time limit of a call in the background. */
export const TASK_SECONDS = 24 * 60 * 60

/** How long to wait for a tool that was asked to stop, in milliseconds. */
export const GRACE = 250
