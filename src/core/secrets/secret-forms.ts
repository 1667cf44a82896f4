/** Returns a secret as programs write it: as it is, in JSON (also JSON inside JSON), in URLs and forms, in HTML, and quoted for a shell. A secret of plain letters and digits has one form. */
export function formsOf(secret: string): string[] {
  if (/^[\w.~-]*$/.test(secret)) return [secret]
  return [...new Set([secret, ...jsonForms(secret), ...urlForms(secret), ...htmlForms(secret), ...shellForms(secret)])]
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
const inAscii = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Some writers escape slashes, or all that is not ASCII. */
function jsonForms(secret: string): string[] {
  const once = inJson(secret)
  const forms = [once, inAscii(once), inAscii(once).replaceAll('/', '\\/'), once.replaceAll('/', '\\/')]
  return [...forms, ...forms.map(inJson)]
}

/** Writers differ in what they leave as it is, in the case of the digits, and in how they write a space. */
function urlForms(secret: string): string[] {
  if (!secret.isWellFormed()) return []
  const part = encodeURIComponent(secret)
  const strict = part.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  const kept = [part, strict, encodeURI(secret), strict.replaceAll('%2F', '/'), part.replaceAll('%2F', '/')]
  const all = [...kept, ...kept.map((one) => one.replaceAll('%20', '+'))]
  return [...all, ...all.map((one) => one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))]
}

const ENTITIES = [
  { '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
] satisfies Readonly<Record<string, string>>[]

function htmlForms(secret: string): string[] {
  return ENTITIES.map((entities: Readonly<Record<string, string>>) =>
    secret.replace(/[&<>"']/g, (one) => entities[one] ?? one),
  )
}

/** In single quotes, in double quotes, with a backslash before each special character, and as a shell reads it without quotes. */
function shellForms(secret: string): string[] {
  return [
    secret.replaceAll("'", "'\\''"),
    secret.replaceAll("'", `'"'"'`),
    secret.replaceAll("'", "\\'"),
    secret.replace(/[\\"$`]/g, '\\$&'),
    secret.replace(/[^\w@%+=:,./\x80-\uffff-]/g, '\\$&'),
    secret.replace(/[^\w%+:./\x80-\uffff-]/g, '\\$&'),
    secret.replace(/\\(.)/g, '$1'),
  ]
}
