/** Node's crypto, loaded when it is first needed: loading it takes as long as a third of Haft. */
export function lazyCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto')
}
