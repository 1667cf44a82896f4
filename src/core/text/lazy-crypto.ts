/** Node's crypto, loaded when it is first needed: loading it takes as long as a third of Haft. */
export const lazyCrypto = () => process.getBuiltinModule('node:crypto')
