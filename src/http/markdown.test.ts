import { describe, expect, it } from 'vitest'
import { toMarkdown } from './markdown.ts'
import { stripTags } from './strip-tags.ts'

const PAGE = 'https://example.com/docs/page'

function article(content: string): string {
  const text = 'This sentence is long enough that the reader takes it for the text of an article. '.repeat(10)
  return `<!doctype html><html><head><title>A page</title></head><body><nav><a href="/">Home</a></nav><article><h1>Heading</h1><p>${text}</p>${content}</article><footer>Imprint</footer></body></html>`
}

describe('toMarkdown', () => {
  it('returns the main content with headings, links made absolute, lists and code', async () => {
    const text = await toMarkdown(
      article(
        '<h2>Part</h2><ul><li>one</li></ul><pre><code>let a = 1</code></pre><p>See <a href="../other">other</a>.</p>',
      ),
      PAGE,
    )
    expect(text).toMatch(/^# A page/)
    expect(text).toContain('## Part')
    expect(text).toMatch(/-\s+one/)
    expect(text).toContain('let a = 1')
    expect(text).toContain('[other](https://example.com/other)')
    expect(text).not.toContain('Imprint')
  })

  it('writes tables, code with its language, nested lists and addresses below the base of the page', async () => {
    const text = await toMarkdown(
      article(
        '<table><caption>Limits</caption><thead><tr><th>Name</th><th>Size</th></tr></thead><tbody><tr><td>a | b</td><td><code>10</code></td></tr><tr><td>two<br>lines</td><td><a href="up">link</a></td></tr></tbody></table>' +
          '<pre><code class="language-ts">if (a &lt; 2) {}\n</code></pre><pre>plain\n  text with ``` in it</pre>' +
          '<ul><li>one<ul><li>inner<ol><li>deep</li></ol></li></ul></li></ul>',
      ).replace('<title>', '<base href="https://cdn.example.com/v2/"><title>'),
      PAGE,
    )
    expect(text).toContain(
      '| Name | Size |\n| --- | --- |\n| a \\| b | `10` |\n| two lines | [link](https://cdn.example.com/v2/up) |\n',
    )
    expect(text).toContain('```ts\nif (a < 2) {}\n```')
    expect(text).toContain('````\nplain\n  text with ``` in it\n````')
    expect(text).toMatch(/- +one\n +- +inner\n +1\. +deep/)
  })

  it('keeps the parts of a table that lays out a page', async () => {
    const text = await toMarkdown('<table><tr><td>menu</td><td><h2>Part</h2><pre>code</pre></td></tr></table>', PAGE)
    expect(text).toContain('## Part')
    expect(text).toContain('```\ncode\n```')
    expect(text).not.toContain('|')
  })

  it('shows a page that is no article in full', async () => {
    expect(await toMarkdown('<title>T</title><body><p>short</p><p>page</p>', PAGE)).toBe('# T\n\nshort\n\npage')
  })

  it('runs and keeps no script, and drops links that are no web addresses', async () => {
    const text = await toMarkdown(
      article(
        '<script>globalThis.ran = true; process.exit(1)</script><p onclick="x()">Click <a href="javascript:alert(1)">here</a> or <img src="data:text/html,x" onerror="globalThis.ran = true"></p><iframe srcdoc="<script>1</script>"></iframe>',
      ),
      PAGE,
    )
    expect(text).not.toMatch(/javascript:|data:text|process\.exit|srcdoc|onclick/)
    expect(globalThis).not.toHaveProperty('ran')
  })

  it.each([
    ['nested 200,000 deep', `${'<div>'.repeat(200_000)}deep${'</div>'.repeat(200_000)}`],
    ['with a million attributes', `<p ${'a=b '.repeat(1_000_000)}>many</p>`],
    ['of unclosed tags', '<a href=x><b><table><tr><td>'.repeat(50_000)],
    ['cut in the middle of a tag', '<p>fine</p><img src="'],
    ['that is empty', ''],
    ['of null bytes', '\0'.repeat(100_000)],
  ])(
    'comes to an end with a page %s',
    async (_, html) => {
      expect(typeof (await toMarkdown(html, PAGE))).toBe('string')
    },
    40_000,
  )
})

describe('stripTags', () => {
  it('returns the text without tags, scripts and styles', () => {
    expect(stripTags('<head><title>x</title></head><p>one</p><script>bad()</script><div>two <b>three</b></div>')).toBe(
      'one\ntwo three',
    )
  })

  it('takes time in proportion to the length of a hostile page', () => {
    expect(stripTags('<script>'.repeat(500_000))).toBe('')
    expect(stripTags('<'.repeat(500_000))).toBe('')
  })
})
