import { registerHooks } from 'node:module'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FileText } from '../protocol.ts'

const texts = new Map<string, string>()

/** From here on a file has the given text for whoever imports it. */
export function giveText({ file, text }: FileText): void {
  texts.set(pathToFileURL(file).href, text)
}

/** The text that a file was given. */
export function givenText(url: string): string | undefined {
  return texts.get(url)
}

/** Makes `haft` and `zod` mean ours in every module, and tool files the text that was sent. `zod` is the folder of that package. */
export function installHooks(zod: string): void {
  const haft = new URL(`./haft${extname(import.meta.filename)}`, import.meta.url).href
  // A package may import itself by its name.
  const zodFile = pathToFileURL(join(zod, 'package.json')).href
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'haft') return { url: haft, shortCircuit: true }
      if (specifier === 'zod' || specifier.startsWith('zod/'))
        return next(specifier, { ...context, parentURL: zodFile })
      const url = /^(\.|\/|file:)/.test(specifier) ? URL.parse(specifier, context.parentURL)?.href : undefined
      return url !== undefined && texts.has(url) ? { url, shortCircuit: true } : next(specifier, context)
    },
    load(url, context, next) {
      const source = texts.get(url)
      if (source === undefined) return next(url, context)
      return { ...loadOriginal(() => next(url, context), url), source, shortCircuit: true }
    },
  })
}

type Load = ReturnType<Parameters<NonNullable<Parameters<typeof registerHooks>[0]['load']>>[2]>

/** Node's own answer, which says whether a file is a module or CommonJS; where the file is gone by now, it was a module. */
function loadOriginal(load: () => Load, url: string): Pick<Load, 'format'> {
  try {
    return load()
  } catch {
    if (url.endsWith('json')) return { format: 'json' }
    return { format: url.endsWith('ts') ? 'module-typescript' : 'module' }
  }
}
