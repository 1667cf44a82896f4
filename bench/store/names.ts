/** The contestants that gates speak of. */
export const RAW_NORMAL = 'node:sqlite WAL NORMAL, a commit an event'
export const RAW_FULL = 'node:sqlite WAL FULL, a commit an event'
export const HAFT_BEHIND = 'Haft, written behind'
export const HAFT_DURABLE = 'Haft, each event waited for'
export const HAFT_MACHINE = 'Haft, durable = "machine", each event waited for'
