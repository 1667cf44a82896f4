/** A named set of default verdicts. What each one means is in src/rules/modes.ts. */
export type Mode = 'plan' | 'ask' | 'review' | 'edit' | 'auto'

/** The modes, the strictest first. */
export const MODES: readonly Mode[] = ['plan', 'ask', 'review', 'edit', 'auto']

/** The mode of a call that names none. */
export const DEFAULT_MODE: Mode = 'ask'
