/** What no text for people and models may hold: names and numbers of system errors, and paths that only we know. */
export const RAW_ERROR =
  /\/proc\/|\/dev\/fd\/|[Uu]nknown system error|\b(?!EXECUTION_ERROR\b)E[A-Z0-9]{3,}\b|\bE2BIG\b|os error|error -\d/
