import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { interleave } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Report, RunOptions, Topic } from '../lib/topic-shape.ts'
import { openBrowser } from './browser.ts'
import { EVENTS, type LongSession, serveLongSession } from './long-session.ts'
import { frameTimes, makeStaticPage } from './scrolling.ts'

const SESSION = `session of ${EVENTS.toLocaleString('en')} events`
const STATIC = 'static page'

const topic: Topic = {
  about:
    'The web app in headless Chromium: the script of the first load, how much the layout shifts, and a long session scrolled beside a static page of the same height.',
  async run(options: RunOptions): Promise<Report> {
    const served = await serveLongSession()
    const browser = await openBrowser()
    try {
      const loads = [
        await measureLoad(browser, served, '/'),
        await measureLoad(browser, served, `/sessions/${served.session}`),
      ]
      const scrolling = await raceScrolling(browser, served, options)
      return {
        markdown: joinParts(loadTable(loads), scrolling.markdown),
        gates: [...loadGates(loads), ...scrolling.gates],
      }
    } finally {
      await browser.close()
      await served.stop()
    }
  },
}

export default topic

interface Load {
  readonly path: string
  /** Bytes of script, each file gzipped. */
  readonly script: number
  readonly shift: number
}

/** Adds up the layout shifts that no input caused. */
const WATCH_SHIFTS = `
  globalThis.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

/** Loads a page with an empty cache, until nothing is asked for any more. */
async function measureLoad(browser: Browser, served: LongSession, path: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await signedIn(await context.newPage(), served)
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.addInitScript(WATCH_SHIFTS)
  await page.goto(`${served.url}${path}`)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  if (path !== '/') await page.locator('[data-call]').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(2_000)
  const shift = Number(await page.evaluate('globalThis.shift'))
  const script = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return { path: path === '/' ? 'home' : SESSION, script, shift }
}

/** Signs a page in with the token; the address with a code works only once. */
async function signedIn(page: Page, { token }: LongSession): Promise<Page> {
  await page.addInitScript(`localStorage.setItem('haft-token', ${JSON.stringify(token)})`)
  return page
}

function loadTable(loads: readonly Load[]): string {
  const rows = loads.map(({ path, script, shift }) => [path, formatNumber(script / 1_000), shift.toFixed(4)])
  return makeTable(['page', 'script, KB gzipped', 'layout shift'], rows)
}

function loadGates(loads: readonly Load[]): Report['gates'] {
  const most = (of: (load: Load) => number) => Math.max(...loads.map(of))
  return [
    {
      ...{ number: 'web-a', what: 'script of a first load, gzipped', unit: 'KB', limit: 250, reach: 200 },
      measured: most(({ script }) => script) / 1_000,
    },
    {
      ...{ number: 'web-b', what: 'layout shift of a first load', unit: '', limit: 0.02, reach: 0.005 },
      measured: most(({ shift }) => shift),
    },
  ]
}

/** Scrolls the session and a static page of equal height in turn, in the same browser. */
async function raceScrolling(browser: Browser, served: LongSession, { quick }: RunOptions): Promise<Report> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const session = await signedIn(await context.newPage(), served)
  await session.goto(`${served.url}/sessions/${served.session}`)
  await session.locator('[data-call]').first().waitFor({ timeout: 60_000 })
  const height = Number(await session.evaluate("document.querySelector('.transcript').scrollHeight"))
  const still = await context.newPage()
  await still.setContent(makeStaticPage(height))
  const pages = new Map([
    [STATIC, still],
    [SESSION, session],
  ])
  const { samples, failed } = await interleave([...pages.keys()], { rounds: quick ? 3 : 9, warm: 1 }, async (name) => {
    const page = pages.get(name)
    if (page === undefined) throw new Error('it did not open')
    await page.bringToFront()
    return frameTimes(page)
  })
  await context.close()
  const rows = [...samples].map(([name, times]) => [name, formatNumber(1_000 / median(times))])
  // The frame time of the session is at most 1 / 0.8 of that of the static page.
  return {
    markdown: joinParts(makeTable(['scrolled', 'frames a second'], rows), listFailed(failed)),
    gates: [
      {
        ...{ number: 'web-c', what: `${SESSION}, frame time × static page`, unit: '×', limit: 1.25, reach: 1.05 },
        measured: pairedRatio(samples.get(SESSION) ?? [], samples.get(STATIC) ?? []),
      },
    ],
  }
}
