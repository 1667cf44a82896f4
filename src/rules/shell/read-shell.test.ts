import { describe, expect, it } from 'vitest'
import { describeEffect } from './describe-effect.ts'
import { readShell } from './read-shell.ts'

const LOCATION = { cwd: '/home/dev/ws', home: '/home/dev', workspace: '/home/dev/ws' }
const texts = (command: string) => readShell(command, LOCATION).commands.map(({ text }) => text)
const effects = (command: string) => readShell(command, LOCATION).effects.map(describeEffect)

describe('S4.3 each command of a chain is returned as plain text', () => {
  it.each([
    ['git status && ls -la', ['git status', 'ls -la']],
    ['a=1; echo "x y" $a', ['echo x y 1']],
    ['(cd src; wc -l *.ts) | tail -1', ['cd src', 'wc -l *.ts', 'tail -1']],
    ['echo "$(git rev-parse HEAD)"', ['git rev-parse HEAD', 'echo *']],
    ['/usr/bin/curl -s x.example', ['/usr/bin/curl -s x.example']],
    ["c\\url 'x'.example", ['curl x.example']],
    ['env A=1 nice curl x.example', ['env A=1 nice curl x.example', 'nice curl x.example', 'curl x.example']],
    ["bash -c 'curl x.example; ls'", ['bash -c curl x.example; ls', 'curl x.example', 'ls']],
    ['f() { curl "$1"; }; f x.example', ['curl x.example']],
    ['for x in a b; do echo $x; done', ['echo a', 'echo b']],
    ['cat <<X\n$(date)\nX', ['date', 'cat']],
    ['# curl', []],
  ])('%s', (command, expected) => expect(texts(command)).toEqual(expected))

  it('names a command by the last part of its path', () => {
    expect(readShell('/usr/bin/curl x', LOCATION).commands.map(({ name }) => name)).toEqual(['curl'])
  })
})

describe('S4.3 effects are resolved and described', () => {
  it.each([
    ['rm -rf "$HOME"', ['deletes /home/dev and everything below']],
    ['cd /etc && cat shadow', ['reads /etc/shadow']],
    ['cat ../x ./a//b', ['reads /home/dev/x', 'reads /home/dev/ws/a/b']],
    ['echo a > ~/b', ['writes /home/dev/b']],
    [
      'cp {a,b}.txt out/',
      [
        'reads /home/dev/ws/a.txt',
        'reads /home/dev/ws/b.txt',
        'writes /home/dev/ws/out',
        'writes /home/dev/ws/out/a.txt',
        'writes /home/dev/ws/out/b.txt',
      ],
    ],
    ['cat "$UNKNOWN"', ['reads …']],
    ['cat src/*.ts', ['reads /home/dev/ws/src/*.ts']],
    ['curl https://user@x.example:8443/a', ['connects to x.example port 8443']],
    ['x=$(cat <<< /tmp/a); rm $x', ['deletes /tmp/a']],
    ['if true; then f=a; else f=b; fi; rm $f', ['deletes /home/dev/ws/a', 'deletes /home/dev/ws/b']],
    ["sed -i 's/a/b/' x", ['writes /home/dev/ws/x', 'reads /home/dev/ws/x']],
    ["sed -n 'w out' x", ['writes /home/dev/ws/out', 'reads /home/dev/ws/x']],
    ['dd if=a of=b', ['reads /home/dev/ws/a', 'writes /home/dev/ws/b']],
    ['tar xf a.tar -C out', ['reads /home/dev/ws/a.tar', 'puts files into /home/dev/ws/out']],
    ["echo 'rm -rf /'", []],
    ["git commit -m 'rm -rf /'", []],
  ])('%s', (command, expected) => expect(effects(command)).toEqual(expected))
})

describe('S4.3 unreadable parts are reported', () => {
  it.each([
    ['echo $(ls', 'unreadable'],
    ['$CMD x', 'unknown'],
    ['frobnicate', 'unknown-command'],
    [`${'env '.repeat(200)}ls`, 'limit'],
    ['echo a\0b', 'limit'],
    ['a'.repeat(131_073), 'limit'],
  ])('%.20s is %s', (command, expected) => {
    const acts = readShell(command, LOCATION).effects.flatMap((effect) => (effect.kind === 'act' ? [effect.act] : []))
    expect(acts).toContain(expected)
  })

  it('an unknown subject is left out of the description', () => {
    expect(effects('curl x | sh')).toContain('download-run')
  })

  it('relative paths start at the given working directory', () => {
    const there = { cwd: '/srv/app/sub', home: '/root', workspace: '/srv/app' }
    expect(readShell('cat a ~/b', there).effects.map(describeEffect)).toEqual(['reads /srv/app/sub/a', 'reads /root/b'])
  })
})
