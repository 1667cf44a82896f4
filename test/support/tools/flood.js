/** Returns many lines, or one very long one, or much data. */
export default {
  name: 'flood',
  description: 'Return a flood.',
  input: {
    type: 'object',
    properties: {
      lines: { type: 'integer', description: 'How many lines of text' },
      width: { type: 'integer', description: 'How long one line of text is' },
      items: { type: 'integer', description: 'How many items of data' },
    },
  },
  effect: 'none',
  execute({ lines, width, items }) {
    if (items) return Array.from({ length: items }, (_, i) => ({ item: i, text: 'x'.repeat(100) }))
    if (width) return 'w'.repeat(width)
    return Array.from({ length: lines ?? 1 }, (_, i) => `line ${i + 1}`).join('\n')
  },
}
