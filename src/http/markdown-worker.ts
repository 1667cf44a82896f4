// Reads one page and answers with its Markdown, in a thread that can be ended.
import { parentPort, workerData } from 'node:worker_threads'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { addRules } from './markdown-rules.ts'

interface Page {
  readonly html: string
  readonly url: string
}

// Given by markdown.ts, which starts this thread.
const { html, url } = workerData as Page

/** A page with less text than this in its main content is shown in full. */
const SHORT = 200

parentPort?.postMessage(convert())

function convert(): string {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  turndown.remove(['title', 'script', 'style', 'noscript', 'iframe', 'object', 'embed', 'template'] as never)
  addRules(turndown)
  const document = readPage()
  const title = document.querySelector('title')?.textContent?.trim() ?? ''
  const { body, documentElement } = document
  const main = readArticle() ?? (body?.textContent?.trim() ? body : documentElement)
  const text = main ? turndown.turndown(main as never) : ''
  return title === '' || text.startsWith(`# ${title}`) ? text : `# ${title}\n\n${text}`
}

/** The page as a document of its own; what has no frame is given one. */
function readPage(): ReturnType<typeof parseHTML>['document'] {
  const isFramed = /<html[\s>]/i.test(html)
  const { document } = parseHTML(isFramed ? html : `<!doctype html><html><head></head><body>${html}</body></html>`)
  makeAbsolute(document)
  return document
}

/** The main content of an article; undefined where the page is not one. */
function readArticle(): unknown {
  const document = readPage()
  const read = new Readability(document as never, { maxElemsToParse: 50_000, keepClasses: true }).parse()
  if (!read?.content || (read.textContent?.length ?? 0) < SHORT) return undefined
  return parseHTML(`<!doctype html><html><body>${read.content}</body></html>`).document.body
}

/** Makes the addresses of links and images absolute, and drops those that are no web addresses. */
function makeAbsolute(document: ReturnType<typeof parseHTML>['document']): void {
  const base = URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url)?.href ?? url
  for (const [selector, name] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const target = URL.parse(element.getAttribute(name) ?? '', base)
      if (target && /^(https?|mailto):$/.test(target.protocol)) element.setAttribute(name, target.href)
      else element.removeAttribute(name)
    }
  }
}
