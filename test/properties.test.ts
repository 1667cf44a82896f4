import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exampleHost } from './support/example-host.ts'
import { type Host, isResultLike } from './support/result-like.ts'

/** Names worth trying: real ones, near ones, hostile ones. */
const anyName = fc.oneof(
  fc.constantFrom('add_numbers', 'write_note', 'flood', 'read_output', 'toString', '__proto__'),
  fc.string(),
)

/** Arguments nobody would send: any JSON, any text, any bytes as text, broken JSON, things JSON cannot carry. */
const anyArguments = fc.oneof(
  fc.jsonValue({ maxDepth: 6 }),
  fc.string({ unit: 'binary' }),
  fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.json().chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
  fc
    .tuple(fc.json(), fc.constantFrom('```json\n', '"', "'", '{', '[', ',', '}', '\\', '\u0000'))
    .map(([text, junk]) => junk + text + junk),
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withNullPrototype: true,
  }),
)

async function neverThrows(host: Host): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyName, anyArguments, async (name, args) => {
      expect(isResultLike(await host.call(name, args, { decision: 'deny' }))).toBe(true)
      expect(['allow', 'ask', 'deny', 'invalid']).toContain((await host.check(name, args)).decision)
    }),
    { numRuns: 2_000 },
  )
}

test('whatever comes as name and arguments, a call ends in a result and never throws or hangs', async () => {
  await neverThrows(await exampleHost())
})

test('a text cut off anywhere is refused or, where all of it was read, unchanged in meaning', async () => {
  const host = await exampleHost()
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), fc.nat(200), async (path, text, cut) => {
      const whole = JSON.stringify({ path: `n${path}`, text })
      const part = whole.slice(0, Math.min(cut, whole.length - 1))
      const report = await host.check('write_note', part)
      expect(report.decision).toBe('invalid')
    }),
    { numRuns: 1_000 },
  )
})

test('arguments that are valid JSON arrive as they were sent, as text or as an object', async () => {
  const host = await exampleHost()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), async (path, text) => {
      const sent = { path: `p${path.replaceAll('/', '').replaceAll('..', '')}`, text }
      for (const form of [
        sent,
        JSON.stringify(sent),
        JSON.stringify(sent, null, 2),
        `\`\`\`json\n${JSON.stringify(sent)}\n\`\`\``,
      ]) {
        expect((await host.check('write_note', form)).arguments).toEqual(sent)
      }
    }),
    { numRuns: 500 },
  )
})

/** Texts full of what almost-JSON trips over. */
const tricky = fc
  .array(
    fc.constantFrom('"', "'", ', ', ': ', 'a', 'b c', '}', ']', '{', ' ', '\n', ' + ', '//', '/*', '\\', '“', '’', '…'),
    {
      maxLength: 8,
    },
  )
  .map((pieces) => pieces.join(''))

test('arguments in sloppy JSON arrive as they were meant, and where quotes are not escaped at least never as others', async () => {
  const host = await exampleHost()
  await fc.assert(
    fc.asyncProperty(tricky, async (text) => {
      const sent = { path: 'p', text }
      const [quoted, single] = [JSON.stringify(text), JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')]
      for (const form of [
        `{"path":"p","text":${quoted},}`,
        `// a note\n{path: 'p', text: ${quoted} /* all */}`,
        `~~~\n{'path':'p','text':'${single.replaceAll("'", "\\'")}'}\n~~~`,
        JSON.stringify(`{"path":"p" "text":${quoted}}`),
      ])
        expect((await host.check('write_note', form)).arguments).toEqual(sent)
      for (const form of [`{"path":"p","text":"${single}",}`, `{'path':'p','text':'${single}'}`]) {
        const { arguments: read = sent } = await host.check('write_note', form)
        if (!/["']\s*\+|\+\s*["'“]/.test(text)) expect(read).toEqual(sent)
      }
    }),
    { numRuns: 500 },
  )
})

test('nesting and size have a limit, and passing it is a short error', async () => {
  const host = await exampleHost()
  let cyclic: Record<string, unknown> = {}
  cyclic = { cyclic }
  Object.assign(cyclic.cyclic as object, { again: cyclic })
  for (const hostile of [
    '['.repeat(1_000_000),
    `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    cyclic,
    { a: 'x'.repeat(11_000_000), b: 1 },
    'x'.repeat(11_000_000),
  ]) {
    const result = await host.call('add_numbers', hostile)
    expect(result).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
    expect(result.text.length).toBeLessThan(500)
  }
})

test('a getter or proxy that throws is bad input, not a crash', async () => {
  const host = await exampleHost()
  const trap = {
    get a(): number {
      throw new Error('gotcha')
    },
  }
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('gotcha')
      },
    },
  )
  for (const hostile of [trap, proxy]) {
    expect(await host.call('add_numbers', hostile)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  }
})
