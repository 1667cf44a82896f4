import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The looks that every page must pass in. Only its colours differ between light and dark, so that the other rules are tried once at each width. */
const LOOKS = [
  { colorScheme: 'light', width: 1440, isWhole: true },
  { colorScheme: 'dark', width: 1440, isWhole: false },
  { colorScheme: 'dark', width: 390, isWhole: false },
  { colorScheme: 'light', width: 390, isWhole: true },
] as const

/** What axe finds on a page as it is now, in light and dark, on a desktop and a phone: rules of WCAG 2.2 A and AA, and best practices. The state of the page stays: it is not loaded again. */
export async function violationsInAllLooks(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const found: string[] = []
  for (const { colorScheme, width, isWhole } of LOOKS) {
    // Without motion: a colour on its way from one theme to the other has the contrast of neither.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    // The page follows the new width in its next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    found.push(...(await violations(page, isWhole)).map((one) => `${colorScheme}, ${width} wide: ${one}`))
  }
  return found
}

/** Runs axe: all of its rules, or that of the contrast of colours alone. */
async function violations(page: Page, isWhole: boolean): Promise<readonly string[]> {
  const options = { resultTypes: ['violations'], preload: false, ...(!isWhole && { runOnly: ['color-contrast'] }) }
  return page.evaluate(async (given) => {
    const { axe: checker } = globalThis as unknown as {
      readonly axe: {
        run(
          options: unknown,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
      }
    }
    const found = await checker.run(given)
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }, options)
}
