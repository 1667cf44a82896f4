import { registerHooks } from 'node:module'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FileText } from '../protocol.ts'

const texts = new Map<string, string>()

/** The address of a tool file for `import`; from here on its text is the given one. */
export function addressOf({ file, text }: FileText): string {
  const { href } = pathToFileURL(file)
  texts.set(href, text)
  return href
}

/** Makes `haft` and `zod` mean ours in every module, and tool files the text that was sent. */
export function installHooks(): void {
  const haft = new URL(`./haft${extname(import.meta.filename)}`, import.meta.url).href
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'haft') return { url: haft, shortCircuit: true }
      if (specifier === 'zod' || specifier.startsWith('zod/'))
        return next(specifier, { ...context, parentURL: import.meta.url })
      return texts.has(specifier) ? { url: specifier, shortCircuit: true } : next(specifier, context)
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
    return { format: url.endsWith('ts') ? 'module-typescript' : 'module' }
  }
}
