import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { attachFiles, joinPrompt } from './read-prompt.ts'

test('@file attaches a text once, also at the end of a sentence and with a space in its name', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'notes.md'), 'milk')
  writeFileSync(join(folder, 'a b.txt'), 'bread')
  const { text, attachments, notes } = attachFiles('compare @notes.md, @"a b.txt" and @notes.md.', folder)
  expect(text).toBe('compare @notes.md, @"a b.txt" and @notes.md.')
  expect(attachments).toEqual([
    { name: 'notes.md', mediaType: 'text/plain', content: 'milk' },
    { name: 'a b.txt', mediaType: 'text/plain', content: 'bread' },
  ])
  expect(notes).toEqual([])
})

test('@image attaches an image as base64', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'logo.png'), Buffer.from([0x89, 0x50, 0]))
  expect(attachFiles('what is @logo.png', folder).attachments).toEqual([
    { name: 'logo.png', mediaType: 'image/png', content: 'iVAA', encoding: 'base64' },
  ])
})

test('what is no file, a folder, not text or too large is not attached, and the person is told why', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'data.bin'), Buffer.from([0xff, 0xfe, 0]))
  writeFileSync(join(folder, 'long.txt'), 'x'.repeat(400_001))
  const { attachments, notes } = attachFiles('mail me@home.org about @angular/core @. @data.bin @long.txt', folder)
  expect(attachments).toEqual([])
  expect(notes).toEqual([
    '@angular/core names no file here; it is sent as text.',
    '@. is not a file; it is sent as text.',
    '@data.bin is neither text nor an image; it is not attached.',
    '@long.txt has 400001 bytes; at most 400000 are attached.',
  ])
})

test('what is piped in follows the typed words', () => {
  expect(joinPrompt('review this', 'diff\n')).toBe('review this\n\ndiff')
  expect(joinPrompt('', 'alone\n')).toBe('alone')
  expect(joinPrompt('  ', undefined)).toBe('')
})
