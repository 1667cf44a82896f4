import { writeFileSync } from 'node:fs'

/** The shape of the model: as small as llama.cpp takes it. */
const SIZE = { layers: 1, width: 32, inner: 64, heads: 2, context: 8_192 }
const SPECIAL = ['<unk>', '<s>', '</s>']
const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
const TOKENS = [...SPECIAL, ...BYTES]
/** The kinds of tokens in a GGUF file: unknown, control, byte. */
const TOKEN_TYPES = [2, 3, 3, ...BYTES.map(() => 6)]

/** Writes a model of the Llama architecture with arbitrary weights and one token per byte. It says nothing sensible; a grammar makes it write calls. */
export function writeGguf(path: string): void {
  const { layers, width, inner, heads, context } = SIZE
  const metadata = [
    text('general.architecture', 'llama'),
    text('general.name', 'haft-test'),
    count('llama.context_length', context),
    count('llama.embedding_length', width),
    count('llama.block_count', layers),
    count('llama.feed_forward_length', inner),
    count('llama.rope.dimension_count', width / heads),
    count('llama.attention.head_count', heads),
    count('llama.attention.head_count_kv', heads),
    entry('llama.attention.layer_norm_rms_epsilon', 6, floats([1e-5])),
    text('tokenizer.ggml.model', 'llama'),
    list('tokenizer.ggml.tokens', { type: 8, count: TOKENS.length, values: Buffer.concat(TOKENS.map(string)) }),
    list('tokenizer.ggml.scores', { type: 6, count: TOKENS.length, values: floats(TOKENS.map(() => 0)) }),
    list('tokenizer.ggml.token_type', { type: 5, count: TOKENS.length, values: ints(TOKEN_TYPES) }),
    count('tokenizer.ggml.bos_token_id', 1),
    count('tokenizer.ggml.eos_token_id', 2),
    count('tokenizer.ggml.unknown_token_id', 0),
  ]
  const tensors = tensorsOf()
  const head = Buffer.concat([Buffer.from('GGUF'), ints([3]), long(tensors.length), long(metadata.length), ...metadata])
  let offset = 0
  const infos: Buffer[] = []
  const data: Buffer[] = []
  for (const { name, shape } of tensors) {
    infos.push(string(name), ints([shape.length]), ...shape.map(long), ints([0]), long(offset))
    const bytes = pad(floats(weights(shape, name)))
    data.push(bytes)
    offset += bytes.length
  }
  writeFileSync(path, Buffer.concat([pad(Buffer.concat([head, ...infos])), ...data]))
}

interface Tensor {
  readonly name: string
  readonly shape: readonly number[]
}

function tensorsOf(): readonly Tensor[] {
  const { layers, width, inner } = SIZE
  const square = [width, width]
  const blocks = Array.from({ length: layers }, (_, at): Tensor[] => [
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => ({
      name: `blk.${at}.${name}.weight`,
      shape: square,
    })),
    ...['ffn_gate', 'ffn_up'].map((name) => ({ name: `blk.${at}.${name}.weight`, shape: [width, inner] })),
    { name: `blk.${at}.ffn_down.weight`, shape: [inner, width] },
    ...['attn_norm', 'ffn_norm'].map((name) => ({ name: `blk.${at}.${name}.weight`, shape: [width] })),
  ])
  const table = [width, TOKENS.length]
  return [
    { name: 'token_embd.weight', shape: table },
    ...blocks.flat(),
    { name: 'output_norm.weight', shape: [width] },
    { name: 'output.weight', shape: table },
  ]
}

/** The same weights each time: ones for norms, a sine for everything else. */
function weights(shape: readonly number[], name: string): number[] {
  const length = shape.reduce((product, one) => product * one, 1)
  return Array.from({ length }, (_, at) => (name.includes('norm') ? 1 : Math.sin(at * 12.9898 + name.length) * 0.1))
}

const pad = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)])
const ints = (values: readonly number[]): Buffer => Buffer.from(Int32Array.from(values).buffer)
const floats = (values: readonly number[]): Buffer => Buffer.from(Float32Array.from(values).buffer)
const long = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer)
const string = (value: string): Buffer => Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)])
const entry = (key: string, type: number, value: Buffer): Buffer => Buffer.concat([string(key), ints([type]), value])
const text = (key: string, value: string): Buffer => entry(key, 8, string(value))
const count = (key: string, value: number): Buffer => entry(key, 4, ints([value]))
const list = (key: string, { type, count: length, values }: { type: number; count: number; values: Buffer }): Buffer =>
  entry(key, 9, Buffer.concat([ints([type]), long(length), values]))
