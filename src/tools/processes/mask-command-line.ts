const MASK = '***'

/** Options and variables whose value is a secret by their name. */
const SECRET_NAME =
  /(pass(word|wd|phrase|code)?|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|auth(orization)?|credentials?|bearer|cookie|session[-_]?id|signature|conn(ection)?[-_]?str(ing)?)$/i

/** Masks secrets in a command line: values of options, variables and headers with telling names, passwords in addresses, and known forms of keys. */
export function maskCommandLine(command: string): string {
  return maskValues(command)
    .replace(/([a-z][\w+.-]*:\/\/[^\s/:@]*):[^\s/@]+@/gi, `$1:${MASK}@`)
    .replace(/\b(authorization|x-[\w-]*(?:key|token)|cookie)\s*:\s*\S+(?:\s+\S+)?/gi, `$1: ${MASK}`)
    .replace(KNOWN_KEYS, MASK)
}

/** Tokens of well-known services, and JSON web tokens. */
const KNOWN_KEYS =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_\w{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g

function maskValues(command: string): string {
  const words = command.split(' ')
  return words
    .map((word, index) => {
      const [, name = '', , value = ''] = /^(-{0,2}[\w.-]+)(=)(.*)$/s.exec(word) ?? []
      if (value !== '' && SECRET_NAME.test(name)) return `${name}=${MASK}`
      const before = words[index - 1] ?? ''
      const isValue = /^--?[\w.-]+$/.test(before) && SECRET_NAME.test(before) && word !== '' && !word.startsWith('-')
      return isValue ? MASK : word
    })
    .join(' ')
}
