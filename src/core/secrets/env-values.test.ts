import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEnvSecrets } from './env-values.ts'

describe('readEnvSecrets', () => {
  it.each([
    ['a password', 'DB_PASSWORD=hunter2', ['hunter2']],
    ['a short name', 'DB_PASS=hunter2', ['hunter2']],
    ['a quoted one with a comment', "export API_KEY='a b # c' # the key", ['a b # c']],
    ['double quotes with escapes', 'APP_SECRET="say \\"hi\\" twice"', ['say "hi" twice']],
    ['a comment after a plain value', 'STRIPE_KEY=plainvalue # live', ['plainvalue']],
    ['a random value under any name', 'WHATEVER=9f8a7c6b5d4e3f2a1b0c', ['9f8a7c6b5d4e3f2a1b0c']],
    ['a password in a URL', 'DATABASE_URL=postgres://app:s3cr3tpw@db.example:5432/app', ['s3cr3tpw']],
    ['Windows line ends', 'A_TOKEN=onetwothree\r\nB_TOKEN=fourfivesix\r\n', ['onetwothree', 'fourfivesix']],
  ])('finds %s', (_, text, expected) => {
    expect(readEnvSecrets(text)).toEqual(expected)
  })

  it('masks a value of several lines in full and line by line', () => {
    const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0', '-----END PRIVATE KEY-----']
    expect(readEnvSecrets(`PRIVATE_KEY="${lines.join('\n')}"\nNEXT=1\n`)).toEqual([lines.join('\n'), ...lines])
  })

  it.each([
    'NODE_ENV=production',
    'AWS_REGION=eu-central-1',
    'APP_URL=https://app.example.com/path1/v2',
    'PORT=3000',
    'COMPASS_MODE=north-by-west',
    'DB_PASSWORD=password',
    'API_KEY=$OTHER_KEY',
    'API_KEY=<your key>',
    'TOKEN_TTL=1234567',
    'SSH_KEY_PATH=/keys/deploy_key',
    'PASSWORD=',
    'PASSWORD=short',
    'VERSION=v1.2.3-beta.4',
    'STARTED=2024-01-01T00:00:00Z',
    '# SECRET=commented-out',
  ])('leaves out what is no secret or too ordinary to mask: %s', (text) => {
    expect(readEnvSecrets(text)).toEqual([])
  })

  it('never throws and comes to an end on any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void readEnvSecrets(`A_KEY="${text}\n${text}='`)))
    for (const piece of ['A="', "A='x\n", 'A= ', ' ', 'A_KEY=x #', '\\"'])
      expect(readEnvSecrets(piece.repeat(200_000 / piece.length))).toBeInstanceOf(Array)
  })
})
