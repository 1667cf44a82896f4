// Makes pictures of each page and state of the web app, light and dark, wide and as on a phone: `node scripts/screenshots.ts FOLDER [NAME…]`.
// It serves a sample project from the build in dist/, first with the demo model, then with a scripted one.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { fillHome, REPLIES } from './pictures/sample-home.ts'
import { startScriptedModel } from './pictures/scripted-model.ts'
import { makeSampleProject } from './sample-project.ts'

const SWITCHES = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]
const LOOKS = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const

/** The pages that are empty at first, and what they then say. */
const EMPTY: readonly (readonly [name: string, path: string, text: string])[] = [
  ['plans-empty', '/plans', 'A plan is a list of jobs.'],
  ['tasks-empty', '/tasks', 'Nothing runs in the background.'],
  ['log-empty', '/log', 'No call'],
]

/** The pages with lists, after the sessions above have filled them: the path, what must be there, and what is typed first. */
const LISTS: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['tools', '/tools?tool=shell', '.try-acts'],
  ['tasks', '/tasks', '.rows-scroll li'],
  ['log', '/log', '.rows-scroll li'],
  ['rules', '/rules?view=test&tool=shell&args=curl%20https%3A%2F%2Fget.example.sh%20%7C%20sh', '.test .trace'],
  ['write-rule', '/rules?view=write', '.cond'],
  ['settings-models', '/settings/models', '#models-h'],
  ['settings-mcp', '/settings/mcp', '.sub-form'],
  ['settings-tools', '/settings/tools', '.browser li'],
  ['settings-machine', '/settings/machine', '.found li'],
  ['settings-values', '/settings/values', '.values'],
]

const root = join(import.meta.dirname, '..')
const [folderName = join(root, 'dist/screenshots'), ...wanted] = process.argv.slice(2)
const target = resolve(folderName)
mkdirSync(target, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'haft-pictures-'))
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: SWITCHES })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
try {
  await showFirstStart()
  await showWork()
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Takes the pictures of one state in every look; nothing of the state changes between them. */
async function picture(name: string, settle?: (page: Page) => Promise<void>): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: width < 720 ? 844 : 900 })
    await settle?.(page)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await page.screenshot({ path: join(target, `${name}-${width}-${colorScheme}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  console.log(name)
}

interface Served {
  readonly url: string
  readonly link: string
  stop(): Promise<unknown>
}

async function serve(name: string): Promise<Served> {
  const home = join(folder, name, '.haft')
  const workspace = makeSampleProject(join(folder, name, 'code/shop'), home)
  writeFileSync(join(workspace, '.env'), 'TAX=19\n')
  const args = [join(root, 'dist/main.js'), 'serve', '--json', '--port', '0', '--workspace', workspace]
  const server: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, HOME: join(folder, name), HAFT_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((done, fail) => {
    server.stdout?.once('data', (data: Buffer) => done(String(data)))
    server.once('exit', (code) => fail(new Error(`the server ended with ${code}`)))
  })
  const { link, url } = JSON.parse(line.split('\n')[0] ?? '{}')
  const stop = () => {
    const ended = new Promise((done) => server.once('exit', done))
    server.kill('SIGINT')
    return ended
  }
  return { url, link, stop }
}

/** Nothing is set up: the demo model, and what it teaches. */
async function showFirstStart(): Promise<void> {
  const { url, link, stop } = await serve('first')
  await page.goto(link)
  await page.getByText('tried just now').waitFor({ timeout: 60_000 })
  await picture('home')
  await page.goto(`${url}/inbox`)
  await page.getByText('Nothing waits for you.').last().waitFor()
  await picture('inbox-empty')
  for (const [name, path, text] of EMPTY) {
    await page.goto(`${url}${path}`)
    await page.getByText(text).first().waitFor()
    await picture(name)
  }
  await page.goto(`${url}/settings/models/new`)
  await page.getByLabel('Provider').waitFor()
  await picture('connect-model')
  await page.evaluate('localStorage.clear()')
  await page.goto(url)
  await page.getByText('haft serve --link').waitFor()
  await picture('sign-in')
  await stop()
}

/** The button of the card with this label, once it is active. */
function active(label: RegExp) {
  return page.locator('[data-approval] .foot button[aria-disabled=false]', { hasText: label }).first()
}

/** A person with a model, tools and sessions. */
async function showWork(): Promise<void> {
  const model = await startScriptedModel(REPLIES)
  fillHome(join(folder, 'work/.haft'), model.url)
  const { url, link, stop } = await serve('work')
  await page.goto(link)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const start = async (message: string, name?: string) => {
    await page.goto(`${url}/new`)
    if (name) {
      await page.getByRole('button', { name: /^Model,/ }).click()
      await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
    }
    await page.getByLabel('First message').fill(message)
    await page.getByRole('button', { name: 'Start session' }).click()
    await page.getByRole('region', { name: 'Transcript' }).waitFor()
  }
  await start('list files then read README.md then plan read the code, write a test, fix the sum', 'demo')
  await page.getByText(/^(Done|Replied),/).waitFor({ timeout: 60_000 })
  await picture('session-demo')
  await showNewSession(url)
  await start('run sleep 600 in background then read nowhere.md', 'demo')
  await page.locator('[data-state=failed]').waitFor({ timeout: 60_000 })
  await picture('session-task')
  await start('ask me which shop the cart belongs to', 'demo')
  await page.getByRole('button', { name: 'Answer' }).waitFor()
  await picture('session-question')
  await start('The cart adds up wrong when I buy several of one thing. Find out why and fix it.')
  await active(/^Approve/).waitFor({ timeout: 60_000 })
  await picture('approval-edit')
  await active(/^Approve/).click()
  await page.getByText('Delete the folder').first().waitFor({ timeout: 60_000 })
  await active(/^Approve/).waitFor()
  await picture('approval', toEnd)
  await showCard()
  await page.goto(`${url}/inbox`)
  await page.locator('.li').first().waitFor()
  await picture('inbox')
  await page.goto(page.url().replace('/inbox', '/'))
  await page.getByLabel('Search sessions').waitFor()
  await picture('sessions')
  await page
    .getByRole('link', { name: /^The cart adds up/ })
    .first()
    .click()
  await active(/^Approve/).click()
  await page.getByText(/^Replied,/).waitFor({ timeout: 60_000 })
  await picture('session', toEnd)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Go to a page or session').waitFor()
  await picture('palette')
  await showLists(url)
  await stop()
  model.close()
}

async function showNewSession(url: string): Promise<void> {
  await page.goto(`${url}/new`)
  await page.getByLabel('First message').fill('Make the October invoices and check the totals against @')
  await page.getByRole('option', { name: 'README.md' }).waitFor()
  await picture('mention')
  await page.getByLabel('First message').fill('Make the October invoices. Do not send anything.')
  for (const [label, name] of [
    ['Local tools', 'new-session'],
    ['MCP servers', 'new-session-mcp'],
    ['Built-in tools', 'new-session-built-in'],
  ] as const) {
    await page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    await page.getByRole('checkbox').first().waitFor()
    if (label === 'Local tools') await page.getByRole('checkbox', { name: /invoice_send/ }).click()
    await picture(name)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: /^Mode,/ }).click()
  await picture('new-session-mode')
  await page.keyboard.press('Escape')
}

/** The states of one card. */
async function showCard(): Promise<void> {
  const card = page.locator('[data-approval]')
  await card.getByRole('button', { name: /Change…/ }).click()
  await card
    .getByLabel(/command/)
    .first()
    .fill('git status --short')
  await card.getByText('Would run without asking').waitFor()
  await picture('approval-changed', toEnd)
  await card.getByRole('button', { name: /^Back/ }).click()
  await card.getByRole('button', { name: 'More ways to approve' }).click()
  await page.getByRole('menuitem', { name: /remember/ }).click()
  await picture('approval-grant', toEnd)
  await card.getByRole('button', { name: /^Back/ }).click()
  await card.getByRole('button', { name: 'Deny with reason…' }).click()
  await picture('approval-reason', toEnd)
  await card.getByRole('button', { name: /^Back/ }).click()
  await page.keyboard.press('d')
  await card.getByText('Nothing was applied').waitFor({ timeout: 60_000 })
  await picture('approval-dry-run', toEnd)
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await picture('approval-trace', toEnd)
}

async function toEnd(shown: Page): Promise<void> {
  await shown.evaluate("document.querySelector('.transcript')?.scrollTo(0, 1e9)")
}

async function showLists(url: string): Promise<void> {
  for (const [name, path, ready] of LISTS) {
    await page.goto(`${url}${path}`)
    await page.locator(ready).first().waitFor()
    await picture(name)
  }
  await page.goto(`${url}/plans`)
  await page.getByRole('button', { name: 'Run the demo plan' }).first().click()
  await page.getByRole('table').waitFor()
  await page.locator('.top .tag', { hasText: /completed|paused/ }).waitFor({ timeout: 60_000 })
  await picture('plan')
  await page.goto(`${url}/plans`)
  await page.locator('.plan-list li').first().waitFor()
  await picture('plans')
  await page.goto(`${url}/log`)
  await page.locator('button.call-row').first().click()
  await page.locator('.tl > li').first().waitFor()
  await picture('log-story')
}
