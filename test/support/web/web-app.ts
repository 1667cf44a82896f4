import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { type ModelServer, startModelServer } from '../model-server/model-server.ts'
import { openAiReply, type ScriptedReply } from '../model-server/scripted-reply.ts'
import { eventually, findProcesses } from '../processes.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

/** The switches of Chromium in tests: it runs as root in CI, and reaches nothing but this machine. */
const SWITCHES = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

let browser: Promise<Browser> | undefined

/** The one browser of a test file. */
export function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: '/usr/bin/chromium', args: SWITCHES })
  return browser
}

afterAll(async () => {
  const opened = await browser
  browser = undefined
  await opened?.close()
})

/** The web app as a person has it: the built program serving a workspace, and a browser that is signed in. */
export interface WebApp {
  readonly url: string
  readonly workspace: string
  /** Its HAFT_HOME. */
  readonly home: string
  readonly page: Page
  readonly context: BrowserContext
  /** What the page reported as errors. */
  readonly errors: readonly string[]
  /** Opens another tab of the same browser. */
  openTab(path?: string): Promise<Page>
  /** Ends the server as a crash would. */
  kill(): Promise<void>
  /** Starts the server again on the same port. */
  restart(): Promise<void>
}

interface WebAppOptions {
  /** Files of the workspace, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Files of HAFT_HOME, by path. */
  readonly settings?: Readonly<Record<string, string>>
  readonly browser?: BrowserContextOptions
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the web app. All of it is gone when the test ends. */
export async function openWebApp(options: WebAppOptions = {}): Promise<WebApp> {
  const folder = temporaryFolder()
  const [workspace, home] = [join(folder, 'workspace'), join(folder, 'home')]
  writeFiles(workspace, { 'README.md': '# Sample\n\nHello\n', ...options.files })
  writeFiles(home, options.settings ?? {})
  let server = await startServer({ workspace, home, port: 0, env: options.env ?? {} })
  onTestFinished(async () => {
    await server.end()
    // What a killed server had started ends a moment later, and may write until then.
    await eventually(() => findProcesses(folder).length === 0)
  })
  const context = await (await openBrowser()).newContext({ viewport: { width: 1440, height: 900 }, ...options.browser })
  onTestFinished(() => context.close())
  const errors: string[] = []
  const watch = (page: Page) => {
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource|ERR_CONNECTION_REFUSED/.test(message.text()))
        errors.push(message.text())
    })
    return page
  }
  const page = watch(await context.newPage())
  await page.goto(server.link)
  await page
    .getByRole('navigation', { name: 'Main' })
    .or(page.getByRole('navigation', { name: 'Pages' }))
    .first()
    .waitFor()
  return {
    ...{ url: server.url, workspace, home, page, context, errors },
    async openTab(path = '/') {
      const tab = watch(await context.newPage())
      await tab.goto(`${server.url}${path}`)
      return tab
    },
    kill: () => server.kill(),
    async restart() {
      server = await startServer({ workspace, home, port: Number(new URL(server.url).port), env: options.env ?? {} })
    },
  }
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

interface StartedServer {
  readonly url: string
  readonly link: string
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Ends it with all that it has started. */
  end(): Promise<void>
}

async function startServer(given: {
  readonly workspace: string
  readonly home: string
  readonly port: number
  readonly env: Readonly<Record<string, string>>
}): Promise<StartedServer> {
  const { workspace, home, port, env } = given
  const args = [join(root, 'dist/main.js'), 'serve', '--json', '--port', String(port), '--workspace', workspace]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), HOME: join(home, '../person'), HAFT_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { url, link } = JSON.parse(await firstLine(child))
  const stop = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  return {
    url,
    link,
    kill: () => stop('SIGKILL'),
    async end() {
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await stop('SIGTERM')
      clearTimeout(late)
    },
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
  })
}

/** Opens a page of the app as a link inside it does: without loading the app again. */
async function openPage({ page, url }: Pick<WebApp, 'page' | 'url'>, path: string): Promise<void> {
  if (page.url().startsWith(url)) await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  else await page.goto(`${url}${path}`)
}

/** Starts a session with a first message, and waits for its page. */
export async function startSession({ page, url }: Pick<WebApp, 'page' | 'url'>, message: string): Promise<void> {
  await openPage({ page, url }, '/new')
  await page.getByLabel('First message').fill(message)
  await page.getByRole('button', { name: 'Start session' }).click()
  await page.getByRole('region', { name: 'Transcript' }).waitFor()
}

/** The button of an approval card with this label, once it is active: it does nothing in the first moment of a card. */
export function activeButton({ page }: Pick<WebApp, 'page'>, label: RegExp): Locator {
  return page.locator('[data-approval] .foot button[aria-disabled=false]', { hasText: label })
}

/** Opens the web app with a model whose replies are written in the test; the last one repeats. */
export async function openScriptedApp(
  replies: readonly ScriptedReply[],
  options: WebAppOptions = {},
): Promise<WebApp & { readonly server: ModelServer }> {
  const server = await startModelServer({ chats: replies.map(openAiReply) })
  const settings = `model = "scripted"

[models.scripted]
provider = "openai"
model = "test"
base_url = "${server.url}/v1"
price = { input = 100, output = 200 }
`
  const app = await openWebApp({ ...options, settings: { 'settings.toml': settings, ...options.settings } })
  return { ...app, server }
}
