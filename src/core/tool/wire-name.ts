/** The longest name that every model provider accepts. */
export const WIRE_NAME_LENGTH = 64

/** Returns the wire name of a tool: its id with illegal characters replaced by `_`, at most 64 characters, and a hash suffix only if the name is taken. */
export function wireNameOf(id: string, isTaken: (name: string) => boolean): string {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, WIRE_NAME_LENGTH)
  if (!isTaken(plain)) return plain
  for (let salt = 0; ; salt++) {
    const suffix = `_${hashOf(salt === 0 ? id : `${id}#${salt}`)}`
    const name = plain.slice(0, WIRE_NAME_LENGTH - suffix.length) + suffix
    if (!isTaken(name)) return name
  }
}

/** FNV-1a in eight hex digits: short and the same on every machine. Used only to tell names apart. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
