import type { Page } from 'playwright-core'

/** A page of plain rows with the same height as the session, for comparison. */
export function makeStaticPage(height: number): string {
  const rows = Array.from({ length: Math.ceil(height / 34) }, (_, row) => `<p>Row ${row} of a static page</p>`)
  return `<style>body{margin:0;font:13px/20px sans-serif}section{height:100vh;overflow:auto}p{margin:0;height:34px}</style>
    <section class="transcript">${rows.join('')}</section>`
}

/** Scrolls the transcript of a page upwards, a step a frame, and returns the mean time of a frame in milliseconds. Each run goes on where the last one ended, over rows that were not shown before; the first begins at the end. */
export async function frameTimes(page: Page): Promise<number> {
  const time = await page.evaluate(`new Promise((done) => {
    const area = document.querySelector('.transcript')
    const FRAMES = 60
    const DISTANCE = 70 * 120
    if (!(globalThis.reached > DISTANCE)) globalThis.reached = area.scrollHeight
    area.scrollTop = globalThis.reached
    let count = -10
    let start = 0
    const step = (now) => {
      if (count === 0) start = now
      if (count === FRAMES) {
        globalThis.reached = area.scrollTop
        return done((now - start) / FRAMES)
      }
      count++
      area.scrollTop -= 120
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`)
  return Number(time)
}
