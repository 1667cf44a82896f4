import { createTrigramScan } from './trigram-scan.ts'

/** Names of members, options and variables whose value is a secret. */
const NAME =
  '(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|credentials?)'

/** True for the name of a member whose value is always a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS_NAME.test(name)
}
const SECRET_NAME = new RegExp(`(?:^|[_.-]|[a-z](?=[A-Z]))(?:${NAME}|authorization|cookie)$`, 'i')
const HARMLESS_NAME = /^(?:next_?page_?token|page_?token|continuation_?token|max_?tokens?|cancel(?:lation)?_?token)$/i

/** Words of which one is part of every secret that is recognised by the text before it. */
const WORDS = ['bearer', 'basic ', 'pass', 'pwd', 'secret', 'token', 'key', 'credential', 'authorization']
/** How every other such secret begins: a URL with a password, and options of curl. */
const MARKS = ['://', '-u ', '-u=', '--user']

/** Tokens with a recognisable form. The full match is the secret. */
const LOOKS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}\b/g,
  /\b(?:gh[opusr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})\b/g,
  /\bgl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{20,}/g,
  /\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})/g,
  /\bhooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bpypi-[A-Za-z0-9_-]{40,}/g,
  /\bhf_[A-Za-z0-9]{30,}\b/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{32,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
]

/** The length of the shortest token above, in characters. */
const SHORTEST_TOKEN = 15

/** The prefixes of those tokens, except private keys. */
export const TOKEN_PREFIXES: readonly string[] = [
  ...['AKIA', 'ASIA', 'AGPA', 'AIDA', 'AROA', 'ANPA', 'ANVA'],
  ...['gho_', 'ghp_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  ...['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glsoat-'],
  ...['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-', 'hooks.slack.com/services/'],
  ...['sk-', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'pk_live_', 'pk_test_'],
  ...['AIza', 'ya29.', 'npm_', 'pypi-', 'hf_', 'SG.', 'eyJ'],
]

const TOKEN_BEGINNINGS = [...TOKEN_PREFIXES, 'PRIVATE KEY']
const TOKEN_BEGINNING = new RegExp(TOKEN_BEGINNINGS.map((prefix) => prefix.replace('.', '\\.')).join('|'))
const scanForTokens = createTrigramScan(TOKEN_BEGINNINGS)

/** A cheap first check: false for a text without a token. */
export function mayContainToken(text: string): boolean {
  return text.length >= SHORTEST_TOKEN && scanForTokens(text) && TOKEN_BEGINNING.test(text)
}

/** A cheap first check: false for a text that none of the patterns of this file match. */
export const mayContainSecret = createTrigramScan([...TOKEN_BEGINNINGS, ...WORDS, ...MARKS])

/** Secrets that are recognised by the text before them. Group 1 stays, group 2 is the secret. */
const PLACES: readonly RegExp[] = [
  /(\b(?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic|token|digest|apikey)\s{1,4})?)([^\s"',;]{4,})/gi,
  /(\bbearer\s{1,4})([A-Za-z0-9._~+/=-]{8,})/gi,
  /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"']{0,200}:)([^\s/@"']{1,500})(?=@)/gi,
  /((?:^|\s)(?:-u|--user)[ =]["']?[^\s:"']{1,200}:)([^\s"']{1,500})/g,
  new RegExp(`(--[a-z0-9-]{0,40}${NAME}(?:=|\\s{1,4})["']?)([^\\s"'&;,]{3,})`, 'gi'),
  new RegExp(`((?:\\b|_)${NAME}\\b["']?\\s{0,4}[:=]\\s{0,4}["'\`])([^"'\`\\n]{3,})`, 'gi'),
  new RegExp(`((?:\\b|_)${NAME}=)([^\\s"'\`&;,]{3,})`, 'gi'),
  // After a colon or a blank the value needs a digit: `password: string` is a type, not a password.
  new RegExp(`((?:\\b|_)${NAME}\\b["']?\\s{0,4}[:=]\\s{0,4})((?=[^\\s\\d]{0,200}\\d)[^\\s"'\`&;,]{3,})`, 'gi'),
]

/** The patterns of both kinds. A pattern from the settings masks its full match, or its group if it has one. */
export const SECRET_LOOKS = LOOKS
export const SECRET_PLACES = PLACES

/** Values that are not secrets although they follow such a prefix: a variable, a call, a placeholder, Haft's own mask. */
export function isReference(value: string): boolean {
  return (
    value.startsWith('[masked') ||
    /^(?:\$|%|<|\{|process\.env|os\.environ|env\b|null$|none$|true$|false$|undefined$)|\(/i.test(value)
  )
}
