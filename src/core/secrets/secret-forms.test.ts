import { expect, test } from 'vitest'
import { formsOf } from './secret-forms.ts'

test('a secret of plain characters has one form', () => {
  expect(formsOf('correct-horse_77.battery~')).toEqual(['correct-horse_77.battery~'])
})

test.for<[how: string, secret: string, written: string]>([
  ['JSON', 'say "hi"\\99', 'say \\"hi\\"\\\\99'],
  ['JSON inside JSON', 'say "hi" 99', 'say \\\\\\"hi\\\\\\" 99'],
  ['JSON without other than ASCII', 'пароль1', '\\u043f\\u0430\\u0440\\u043e\\u043b\\u044c1'],
  ['JSON with escaped slashes', 'a/b+c/99', 'a\\/b+c\\/99'],
  ['a URL', 'p@ss/w0rd+c=99', 'p%40ss%2Fw0rd%2Bc%3D99'],
  ['a URL with small digits', 'p@ss/w0rd+c=99', 'p%40ss%2fw0rd%2bc%3d99'],
  ['the path of a URL', 'p@ss/w0rd', 'p%40ss/w0rd'],
  ['a form', 'two words & 99', 'two+words+%26+99'],
  ['a URL that leaves nothing as it is', "it's(99)!*", 'it%27s%2899%29%21%2A'],
  ['HTML', `a<b>&"c'9`, 'a&lt;b&gt;&amp;&quot;c&#39;9'],
  ['single quotes', "it's a secret", "it'\\''s a secret"],
  ['double quotes', 'cost$99`', 'cost\\$99\\`'],
  ['a shell without quotes', 'two words$#9', 'two\\ words\\$\\#9'],
  ['what a shell reads', 'abc\\ndef99', 'abcndef99'],
])('%s has a form of its own', ([, secret, written]) => {
  expect(formsOf(secret)).toContain(written)
  expect(formsOf(secret)).toContain(secret)
})

test('half a character does no harm', () => {
  expect(formsOf('\ud800 secret')).toContain('\ud800 secret')
})
