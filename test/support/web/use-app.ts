import type { Page } from 'playwright-core'
import { type Client, createClient } from '../../../src/client/client.ts'
import type { WebApp } from './web-app.ts'

/** A client with the token of the page, to make calls that the page then shows. */
export async function clientOf({ page, url }: Pick<WebApp, 'page' | 'url'>): Promise<Client> {
  const token = await page.evaluate(() => localStorage.getItem('haft-token') ?? '')
  return createClient({ url, token: () => token })
}

/** Answers a GET of the page with these bytes as long as the test lasts, or until the returned function is called. */
export async function pretend(page: Page, path: RegExp, status: number, body: unknown): Promise<() => Promise<void>> {
  await page.route(path, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
      : route.continue(),
  )
  return () => page.unroute(path)
}

/** What the server answers when something inside it went wrong. */
export const FAULT = { error: { code: 'EXECUTION_ERROR', message: 'Something went wrong inside the server.' } }
