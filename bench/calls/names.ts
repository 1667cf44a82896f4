/** The baselines the topic's ratios are made with, and the contestants its gates speak of. */
export const BARE = 'bare async function'
export const REFERENCE_CALL = 'reference call (lookup, validate, envelope)'
export const REFERENCE_PIPELINE = 'reference pipeline (hand-written)'
export const HAFT_STAGES = 'Haft: stages parse and validate'
export const HAFT_CALL = 'Haft: host.call'
/** How many steps a run of the agent's loop has where a step is measured. */
export const STEPS = 10
export const HAFT_STEP = `Haft: agent step, 1 call, in runs of ${STEPS}`
export const HAFT_RUN = 'Haft: new session, run of 1 step, 1 call'
export const HAFT_STEP_64 = 'Haft: agent step, 64 calls'
export const AI_STEP = `ai 7 generateText, 1 call a step, ${STEPS} steps`
export const AI_RUN = 'ai 7 generateText, 1 call, 1 step'
export const AI_STEP_64 = 'ai 7 generateText, 64 calls a step'
export const HAFT_LOGGED = 'Haft: host.call, log in SQLite written behind'
