/** Named sets of default verdicts. Today every session runs in `ask`: the default rules as they are. */
export type Mode = 'plan' | 'ask' | 'review' | 'edit' | 'auto'
