/** True for a version, a range or a tag, and for a name that a registry resolves; not for folders, archives, repositories and addresses. */
export function isFromRegistry(source: string): boolean {
  if (/^(npm|workspace|catalog|jsr):[^:]*$/.test(source)) return true
  return !/[:/\\]|^\.|\.(tgz|tar|tar\.gz)$/i.test(source)
}

/** The registries that installers use unless told otherwise. */
const REGISTRIES = /^https:\/\/(registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.jsr\.io)\//

/** Returns what names an unusual source in a lock file: another registry by its host, anything else in full with what identifies its content; nothing for a usual one. */
export function nameSource(source: string, content = ''): string[] {
  if (REGISTRIES.test(source) || isFromRegistry(source)) return []
  return [/^https?:\/\/[^/]+\//.exec(source)?.[0] ?? `${source} ${content}`]
}
