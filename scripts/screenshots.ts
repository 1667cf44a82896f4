// Makes pictures of each page of the web app, light and dark, wide and as on a phone: `node scripts/screenshots.ts FOLDER`.
// It serves a sample project with the demo model, from the build in dist/.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { makeSampleProject } from './sample-project.ts'

const SWITCHES = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

const root = join(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? join(root, 'dist/screenshots'))
mkdirSync(target, { recursive: true })

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: SWITCHES })
for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1440, 390]) await takePictures(browser, { colorScheme, width })
await browser.close()

/** Takes the pictures of one theme and width, with a server and a project of their own. */
async function takePictures(browser: Browser, look: { colorScheme: 'light' | 'dark'; width: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-pictures-'))
  const home = join(folder, '.haft')
  const workspace = makeSampleProject(join(folder, 'shop'), home)
  const server = spawn(
    process.execPath,
    [join(root, 'dist/main.js'), 'serve', '--json', '--port', '0', '--workspace', workspace],
    {
      env: { ...process.env, HOME: folder, HAFT_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const line = await new Promise<string>((done) => server.stdout.once('data', (data: Buffer) => done(String(data))))
  const { link, url } = JSON.parse(line.split('\n')[0] ?? '{}')
  const { colorScheme, width } = look
  const page = await browser.newPage({ colorScheme, viewport: { width, height: width < 720 ? 844 : 900 } })
  const picture = (name: string) => page.screenshot({ path: join(target, `${name}-${width}-${colorScheme}.png`) })
  await page.goto(link)
  await page.getByText('Try it with the demo model').waitFor()
  await page.getByText(/checks\./).waitFor()
  await picture('home')
  await showSessions(page, url, picture)
  await page.goto(`${url}/settings/models/new`)
  await page.getByLabel('Provider').waitFor()
  await picture('connect-model')
  await showLists(page, url, picture)
  await page.context().close()
  server.kill('SIGINT')
  await new Promise((done) => server.once('exit', done))
  rmSync(folder, { recursive: true, force: true })
}

async function showSessions(page: Page, url: string, picture: (name: string) => Promise<unknown>): Promise<void> {
  const start = async (message: string) => {
    await page.goto(`${url}/new`)
    await page.getByLabel('First message').fill(message)
    await page.getByRole('button', { name: 'Start session' }).click()
    await page.getByRole('region', { name: 'Transcript' }).waitFor()
  }
  await page.goto(`${url}/new`)
  await page.getByRole('button', { name: /^Built-in tools/ }).click()
  await page.getByRole('checkbox').first().waitFor()
  await picture('new-session')
  await start('list files then read README.md then run git log --oneline then write hello.md with "Hello!"')
  await page.getByText(/^(Done|Replied),/).waitFor({ timeout: 90_000 })
  await picture('session')
  await start('run rm README.md && git status')
  await page.locator('[data-approval] .foot button[aria-disabled=false]').first().waitFor()
  await picture('approval')
  await page.goto(`${url}/inbox`)
  await page.locator('.li').first().waitFor()
  await picture('inbox')
}

/** The pages with lists, after the sessions above have filled them: the path, what must be there, and what is typed first. */
const LISTS: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['tools', '/tools?tool=shell', '.try-acts'],
  ['tasks', '/tasks', '.rows-scroll li, .pad'],
  ['log', '/log', '.rows-scroll li'],
  ['rules', '/rules?view=test&tool=shell&args=curl%20https%3A%2F%2Fget.example.sh%20%7C%20sh', '.test .trace'],
  ['write-rule', '/rules?view=write', '.cond'],
  ['settings-models', '/settings/models', '#models-h'],
  ['settings-mcp', '/settings/mcp', '.sub-form'],
  ['settings-tools', '/settings/tools', '.browser li'],
  ['settings-machine', '/settings/machine', '.found li'],
  ['settings-values', '/settings/values', '.values'],
]

async function showLists(page: Page, url: string, picture: (name: string) => Promise<unknown>): Promise<void> {
  for (const [name, path, ready] of LISTS) {
    await page.goto(`${url}${path}`)
    await page.locator(ready).first().waitFor()
    await picture(name)
  }
  await page.goto(`${url}/log`)
  await page.locator('button.call-row').first().click()
  await page.locator('.tl > li').first().waitFor()
  await picture('log-story')
}
