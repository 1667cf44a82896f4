import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen, openTestNetwork } from '../../support/web/test-network.ts'
import { hostWithSettings } from '../../support/web/web-host.ts'

/** Starts a search service on loopback. */
function service(listener: RequestListener): Promise<number> {
  return listen(createServer(listener))
}

function setVariable(name: string, value: string | undefined): void {
  const before = process.env[name]
  onTestFinished(() => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  })
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

const hostFor = (search: string) => hostWithSettings(`[web]\nsearch = "${search}"\n`)

test('S1.8 SearXNG: its JSON results come back as title, url and snippet, five unless told', async () => {
  let asked: string | undefined
  const results = Array.from({ length: 9 }, (_, index) => ({
    ...{ url: `https://example.com/${index}`, title: `Page ${index}`, content: `About <b>${index}</b> &amp; more` },
    ...{
      engine: 'duckduckgo',
      parsed_url: ['https', 'example.com', `/${index}`, '', '', ''],
      score: 1,
      category: 'general',
    },
  }))
  const port = await service((request, response) => {
    asked = request.url
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ query: 'x', number_of_results: 9, results, answers: [], infoboxes: [], suggestions: [] }),
    )
  })
  const host = await hostFor(`searxng:http://127.0.0.1:${port}`)
  const five = await host.call('web_search', { query: 'tea & cake' })
  expect(asked).toBe('/search?q=tea+%26+cake&format=json')
  expect(five).toMatchObject({
    ok: true,
    text: expect.stringContaining('1. Page 0\n   https://example.com/0\n   About 0 & more'),
  })
  expect(five).toHaveProperty('data.results.length', 5)
  expect(await host.call('web_search', { query: 'x', numResults: 7 })).toHaveProperty('data.results.length', 7)
})

test('SearXNG whose JSON format is off says how to turn it on', async () => {
  const port = await service((_, response) => response.writeHead(403).end('Forbidden'))
  const host = await hostFor(`searxng:http://127.0.0.1:${port}/`)
  const result = await host.call('web_search', { query: 'x' })
  expect(result).toMatchObject({ code: 'EXECUTION_ERROR', text: expect.stringContaining('search.formats') })
})

test('Brave: the key goes in its header, and results come from web.results', async () => {
  setVariable('BRAVE_API_KEY', 'brave-key-123456')
  let seen: IncomingMessage | undefined
  const port = await service((request, response) => {
    seen = request
    const results = [
      {
        title: 'A <strong>page</strong>',
        url: 'https://a.example/',
        description: 'What it <strong>says</strong>',
        type: 'search_result',
      },
    ]
    response.end(
      JSON.stringify({ type: 'search', query: { original: 'x' }, web: { type: 'search', results }, videos: {} }),
    )
  })
  const host = await hostFor(`brave:http://127.0.0.1:${port}/res/v1/web/search`)
  expect(await host.call('web_search', { query: 'x', numResults: 3 })).toMatchObject({
    data: { results: [{ title: 'A page', url: 'https://a.example/', snippet: 'What it says' }] },
  })
  expect(seen?.headers['x-subscription-token']).toBe('brave-key-123456')
  expect(seen?.url).toBe('/res/v1/web/search?q=x&count=3')
})

test('Brave without any web result is an empty list, not an error', async () => {
  setVariable('BRAVE_API_KEY', 'brave-key-123456')
  const port = await service((_, response) => response.end('{"type":"search"}'))
  const host = await hostFor(`brave:http://127.0.0.1:${port}/`)
  expect(await host.call('web_search', { query: 'x' })).toMatchObject({
    ok: true,
    text: 'No results.',
    data: { results: [] },
  })
})

test('Tavily: the question is a POST with a bearer key', async () => {
  setVariable('TAVILY_API_KEY', 'tvly-123456')
  let sent = ''
  let key: string | undefined
  const port = await service((request, response) => {
    key = request.headers.authorization
    request.on('data', (chunk: Buffer) => {
      sent += chunk
    })
    request.on('end', () => {
      const results = [{ title: 'T', url: 'https://t.example/', content: 'C', score: 0.9, raw_content: null }]
      response.end(JSON.stringify({ query: 'x', answer: null, images: [], results, response_time: 1.1 }))
    })
  })
  const host = await hostFor(`tavily:http://127.0.0.1:${port}/search`)
  expect(await host.call('web_search', { query: 'x' })).toMatchObject({
    data: { results: [{ title: 'T', url: 'https://t.example/', snippet: 'C' }] },
  })
  expect(JSON.parse(sent)).toEqual({ query: 'x', max_results: 5 })
  expect(key).toBe('Bearer tvly-123456')
})

test('without a service, or without its key, the error says how to set one up', async () => {
  const none = await (await hostWithSettings('')).call('web_search', { query: 'x' })
  expect(none).toMatchObject({
    code: 'UNAVAILABLE',
    text: expect.stringContaining('search = "searxng:http://127.0.0.1:8888"'),
  })
  setVariable('TAVILY_API_KEY', undefined)
  const keyless = await (await hostFor('tavily')).call('web_search', { query: 'x' })
  expect(keyless).toMatchObject({ code: 'UNAVAILABLE', text: expect.stringContaining('set TAVILY_API_KEY') })
})

test.for([
  ['no JSON', '<html>', 'not a list of results'],
  ['another shape', '{"results":"none"}', 'not a list of results'],
])('a service that answers %s is a clear error', async ([, body = '', expected = '']) => {
  const port = await service((_, response) => response.end(body))
  const host = await hostFor(`searxng:http://127.0.0.1:${port}`)
  expect((await host.call('web_search', { query: 'x' })).text).toContain(expected)
})

test('results that lead nowhere on the web are left out, and a service cannot redirect elsewhere', async () => {
  const bad = [
    { title: 'a', url: 'javascript:alert(1)' },
    { title: 'b', url: 'file:///etc/passwd' },
    { title: 'c' },
    null,
    3,
  ]
  const port = await service((request, response) => {
    if (request.url?.includes('away')) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    else
      response.end(JSON.stringify({ results: [...bad, { title: 'ok', url: 'https://ok.example/', content: 'fine' }] }))
  })
  const host = await hostFor(`searxng:http://127.0.0.1:${port}`)
  expect(await host.call('web_search', { query: 'x' })).toMatchObject({ data: { results: [{ title: 'ok' }] } })
  expect(await host.call('web_search', { query: 'away' })).toMatchObject({ code: 'BLOCKED' })
})

test('a service that redirects to another host is refused before that host is looked up', async () => {
  const network = await openTestNetwork(
    { 'search.test': [['93.184.216.34']], 'other.test': [['93.184.216.34']] },
    (_, response) => response.writeHead(302, { location: 'http://other.test/' }).end(),
  )
  const host = await hostWithSettings('[web]\nsearch = "searxng:http://search.test/"\n', { network })
  expect(await host.call('web_search', { query: 'x' })).toMatchObject({ code: 'BLOCKED' })
  expect(network.lookups).toEqual(['search.test'])
})
