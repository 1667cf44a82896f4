import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { stripTags } from './strip-tags.ts'

/** Where the page is read; the build keeps it a file of its own. */
const WORKER = join(import.meta.dirname, `../http/markdown-worker${extname(import.meta.filename)}`)

/** The time and memory that one page may take. A page may be made to take for ever. */
const SECONDS = 5
const MEGABYTES = 512

/** Returns the main content of a page as Markdown; of a page that cannot be read in time, its text. Runs no script and loads nothing. */
export function toMarkdown(html: string, url: string): Promise<string> {
  return new Promise((resolve) => {
    const worker = new Worker(WORKER, {
      workerData: { html, url },
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES, stackSizeMb: 8 },
    })
    const end = (text: string | undefined) => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(text ?? stripTags(html))
    }
    const timer = setTimeout(() => end(undefined), SECONDS * 1000)
    worker.on('message', (text: unknown) => end(typeof text === 'string' ? text : undefined))
    worker.on('error', () => end(undefined))
    worker.on('exit', () => end(undefined))
  })
}
