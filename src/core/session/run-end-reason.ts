/** Why a run ended. */
export type RunEndReason = 'complete' | 'reply' | 'limit' | 'loop' | 'cancelled' | 'failed'
