/** The baselines the topic's ratios are made with, and the contestants its gates speak of. */
export const BARE = 'bare async function'
export const REFERENCE_CALL = 'reference call (lookup, validate, envelope)'
export const REFERENCE_PIPELINE = 'reference pipeline (hand-written)'
export const HAFT_ROOMS = 'Haft: rooms parse and validate'
export const HAFT_CALL = 'Haft: host.call'
export const HAFT_LOGGED = 'Haft: host.call, log in SQLite written behind'
