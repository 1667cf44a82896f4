export const HAFT = 'haft, GET /api/tools'
export const RAW = 'raw node http, kept bytes'
