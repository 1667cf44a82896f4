import type { Locator } from 'playwright-core'

/** What of an element of the page is used here; the types of the tests have no DOM. */
interface Scrolled {
  readonly scrollHeight: number
  scrollTo(x: number, y: number): void
}

/** Scrolls a list to its end. */
export async function scrollToEnd(list: Locator): Promise<void> {
  await list.evaluate((one) => {
    const scrolled = one as unknown as Scrolled
    scrolled.scrollTo(0, scrolled.scrollHeight)
  })
}
