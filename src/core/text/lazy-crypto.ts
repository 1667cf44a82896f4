/** Node's crypto, loaded at its first use: loading it would take about a third of Haft's start time. */
export const lazyCrypto = () => process.getBuiltinModule('node:crypto')
