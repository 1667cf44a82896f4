import { isSecretName } from './secret-patterns.ts'

/** The shortest value of a secret-sounding key, and the shortest random-looking one, that is masked. */
const MIN_NAMED = 6
const MIN_RANDOM = 12
/** A longer value is masked line by line: a stream holds no more back. */
const MAX_VALUE = 2_000
/** The shortest line of a value of several lines that is masked by itself. */
const MIN_LINE = 8

/** Returns the secret values of a .env file: those of secret-sounding keys, random-looking ones, and passwords in URLs. */
export function readEnvSecrets(text: string): readonly string[] {
  const found = new Set<string>()
  for (const { key, value } of readEnv(text)) {
    for (const secret of secretsOf(key, value)) {
      const lines = secret.includes('\n')
        ? secret.split(/\r?\n/).filter((line) => line.length >= MIN_LINE && !isOrdinary(line))
        : []
      for (const part of secret.length > MAX_VALUE ? lines : [secret, ...lines]) found.add(part)
    }
  }
  return [...found]
}

interface EnvEntry {
  readonly key: string
  readonly value: string
}

/** `KEY=value`, `export KEY='value'`, quoted values over several lines. */
const ENTRY =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*(?:(?:"((?:\\.|[^"\\])*)"|'([^']*)'|`([^`]*)`)[ \t]*(?:#[^\n\r]*)?$|([^\n\r]*))/gmsu

function readEnv(text: string): EnvEntry[] {
  return [...text.matchAll(ENTRY)].map(([, key = '', double, single, back, plain = '']) => ({
    key,
    value: double?.replace(/\\n/g, '\n').replace(/\\(["\\$])/g, '$1') ?? single ?? back ?? withoutComment(plain),
  }))
}

/** A comment begins after a blank. */
function withoutComment(plain: string): string {
  const comment = plain.search(/(?:^|[ \t])#/)
  return (comment < 0 ? plain : plain.slice(0, comment)).trim()
}

/** Returns the secrets in the value of a variable, a header or an option of this name. */
export function secretsOf(key: string, value: string): string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i.exec(value)?.[1]
  if (password !== undefined) return password.length >= MIN_NAMED && !isOrdinary(password) ? [password] : []
  if (isOrdinary(value)) return []
  if (soundsSecret(key)) return value.length >= MIN_NAMED ? [value] : []
  return value.length >= MIN_RANDOM && looksRandom(value) ? [value] : []
}

/** True for the name of a variable that holds a secret: wider than for arguments, since a .env file is made for secrets. */
function soundsSecret(key: string): boolean {
  if (isSecretName(key)) return true
  return SOUNDS_SECRET.test(key) && !SOUNDS_PUBLIC.test(key)
}
const SOUNDS_SECRET =
  /(?:^|[_.-])pass(?:$|[_.-])|passw|passphrase|passcode|pwd|secret|token|credential|private|signature|(?:^|[_.-])(?:key|auth|salt|pin|dsn)(?:$|[_.-]|\d)/i
const SOUNDS_PUBLIC =
  /public|(?:^|_)(?:name|id|path|file|dir|url|uri|host|user|username|type|length|size|ttl|expiry|expires|expiration|lifetime|algorithm|enabled|timeout|max|min|count|limit)$/i

/** True for values that are everyday words, flags or stand-ins: masking them would make outputs unreadable. */
function isOrdinary(value: string): boolean {
  return ORDINARY.test(value) || /^(?:\$\{?\w|<|\{\{|your[-_ ]|[x*.\-_]+$|https?:\/\/[^@]*$|\d{1,5}$)/i.test(value)
}
const ORDINARY =
  /^(?:true|false|null|none|undefined|enabled?|disabled?|development|production|staging|testing|localhost|default|example|password|passwort|passwd|secret|changeme|change_me|placeholder|postgres|username|bearer|required|optional)$/i

/** True for text in which letters and digits, or upper and lower case, change too often for words. */
function looksRandom(value: string): boolean {
  if (/\s/.test(value) || !/\d/.test(value) || !/[a-z]/i.test(value) || /^(?:[a-z]+:\/\/|[./~])/i.test(value))
    return false
  const kinds = [...value.replace(/[^a-z0-9]/gi, '')].map((one) =>
    /\d/.test(one) ? 'd' : /[a-z]/.test(one) ? 'l' : 'u',
  )
  const turns = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length
  return turns >= value.length / 4
}
