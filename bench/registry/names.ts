/** The contestants the topic's ratios and gates speak of. */
export const FLOOR = 'plain Map, JSON Schema (floor)'
export const HAFT = 'Haft: register, definitions'
export const EMPTY_NODE = 'node -e 0 (baseline)'
export const AJV = 'ajv'
export const HAFT_IMPORT = 'haft'
