import { describe, expect, it } from 'vitest'
import { LOCATION } from '../../test/support/shell-location.ts'
import { connects, deletes, reads, runs, writes } from '../core/tool/touch.ts'
import { readDefaults } from './default-opinions.ts'

const decisions = (...touches: Parameters<typeof readDefaults>[0]) =>
  readDefaults(touches, LOCATION).opinions.map(({ rule, decision }) => `${decision} ${rule}`)

describe('S4.2 file tools are judged by the same zones', () => {
  it.each([
    [reads('.env'), ['deny no_secret_reading']],
    [reads('/etc/shadow'), ['deny no_secret_reading']],
    [reads('../.ssh/id_rsa'), ['deny no_secret_reading']],
    [reads('/etc/passwd'), ['deny no_secret_reading']],
    [writes('a.txt'), ['ask ask_change']],
    [deletes('dir/b.txt'), ['ask ask_existing_deletion']],
    [writes('.git/hooks/pre-commit'), ['deny no_hooks', 'ask ask_trusted_files']],
    [writes('.haft/settings.toml'), ['deny no_hooks']],
    [writes('.github/workflows/ci.yml'), ['ask ask_trusted_files']],
    [writes('/home/dev/.haft/grants.toml'), ['deny no_haft_home']],
    [connects('localhost:4242'), ['deny no_haft_port']],
    [connects('169.254.169.254'), ['deny no_cloud_metadata']],
  ])('%j', (touch, expected) => expect(decisions(touch)).toEqual(expected))

  it.each([
    reads('src/a.ts'),
    writes('src/a.ts'),
    deletes('a.txt', { isMove: true }),
    deletes('src/a.ts'),
    reads('.env.example'),
    writes('Makefile'),
    connects('example.com'),
  ])('has nothing against %j', (touch) => expect(decisions(touch)).toEqual([]))
})

describe('S4.3 a command line is expanded into what it touches', () => {
  it('returns the touches, commands and effects of every part', () => {
    const line = runs('cat a.txt | tee out/b.txt; curl https://x.example; rm /mnt/c')
    const { reading, opinions } = readDefaults([line], LOCATION)
    const inside = (path: string) => `${LOCATION.workspace}/${path}`
    expect(reading.touches).toEqual([
      line,
      reads(inside('a.txt')),
      writes(inside('out/b.txt')),
      connects('x.example'),
      deletes('/mnt/c'),
    ])
    expect(reading.commands.map(({ name }) => name)).toEqual(['cat', 'tee', 'curl', 'rm'])
    expect(reading.words).toContain('deletes /mnt/c')
    expect(opinions.map(({ decision }) => decision)).toEqual(['ask', 'ask'])
  })

  it('allows everyday commands by name', () => {
    expect(decisions(runs('npm test > test.log 2>&1'))).toEqual(['allow everyday_commands'])
  })

  it('a workspace that contains the home folder protects nothing in it', () => {
    const wide = { ...LOCATION, cwd: '/', workspace: '/' }
    const opinions = readDefaults([runs('rm -rf etc'), runs('echo x > home/dev/.bashrc')], wide).opinions
    expect(opinions.filter(({ decision }) => decision === 'deny').map(({ rule }) => rule)).toEqual([
      'no_system_destruction',
      'no_startup_files',
    ])
  })
})
