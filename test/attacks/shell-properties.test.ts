import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeShell } from '../../src/rules/defaults/judge-shell.ts'
import { readShell } from '../../src/rules/shell/read-shell.ts'
import corpus from '../data/shell.json' with { type: 'json' }
import { LOCATION } from '../support/shell-location.ts'

const STRICTNESS: Readonly<Record<string, number>> = { allow: 0, ask: 1, deny: 2 }

function strictness(command: string): number {
  return Math.max(
    ...judgeShell(readShell(command, LOCATION), LOCATION).map(({ decision }) => STRICTNESS[decision] ?? 2),
  )
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const lines = corpus.cases.map(({ command }) => command).filter((command) => command.length < 400)
const whole = lines.filter((command) =>
  readShell(command, LOCATION).effects.every((effect) => effect.kind !== 'act' || effect.act !== 'unreadable'),
)
const simpleDenied = [
  'rm -rf /',
  'rm -rf ~',
  'cat /etc/shadow',
  'mkfs.ext4 /dev/sda',
  'shutdown now',
  'dd if=x of=/dev/sda',
  'cp x /etc/passwd',
  'chmod -R 777 /',
  'rm -rf .git',
  'haft run x',
]

/** Ways to hand a simple command to another program. */
const WRAPPERS: readonly ((command: string) => string)[] = [
  (command) => `env A=1 ${command}`,
  (command) => `command ${command}`,
  (command) => `exec ${command}`,
  (command) => `nohup ${command}`,
  (command) => `nice -n 5 ${command}`,
  (command) => `timeout -k 1 10 ${command}`,
  (command) => `stdbuf -oL ${command}`,
  (command) => `setsid ${command}`,
  (command) => `sudo -u root ${command}`,
  (command) => `doas ${command}`,
  (command) => `busybox ${command}`,
  (command) => `flock /tmp/l ${command}`,
  (command) => `strace -f ${command}`,
  (command) => `find . -maxdepth 0 -exec ${command} \\;`,
  (command) => `time ${command}`,
  (command) => `! ${command}`,
  (command) => `A=1 B=2 ${command}`,
  (command) => `2>/dev/null ${command}`,
]

/** Ways to hand on any command line, by text or by structure. */
const TEXTS: readonly ((command: string) => string)[] = [
  (command) => `bash -c ${quote(command)}`,
  (command) => `sh -ec ${quote(command)}`,
  (command) => `eval ${quote(command)}`,
  (command) => `su -c ${quote(command)}`,
  (command) => `watch ${quote(command)}`,
  (command) => `script -qc ${quote(command)} /dev/null`,
  (command) => `echo ${quote(command)} | sh`,
  (command) => `printf %s ${quote(command)} | bash`,
  (command) => `bash <<< ${quote(command)}`,
  (command) => `bash <<'HAFT_END'\n${command}\nHAFT_END`,
  (command) => `c=${quote(command)}; eval "$c"`,
  (command) => `base64 -d <<< ${Buffer.from(command).toString('base64')} | sh`,
  (command) => `trap ${quote(command)} EXIT`,
  (command) => `source <(echo ${quote(command)})`,
  (command) => `echo ${quote(command)} > x.sh; bash x.sh`,
  (command) => `(\n${command}\n)`,
  (command) => `{\n${command}\n}`,
  (command) => `if true; then\n${command}\nfi`,
  (command) => `f() {\n${command}\n}; f`,
  (command) => `echo "$(\n${command}\n)"`,
  (command) => `for i in 1; do\n${command}\ndone`,
  (command) => `case x in *)\n${command}\n;; esac`,
  (command) => `xargs -I@@ sh -c ${quote(command)} <<< x`,
]

/** Ways to write one word of a command differently. */
const QUOTINGS: readonly ((word: string) => string)[] = [
  (word) => quote(word),
  (word) => `"${word}"`,
  (word) => `${word.slice(0, 1)}""${word.slice(1)}`,
  (word) => `\\${word}`,
  (word) => `$'${[...word].map((character) => `\\x${character.charCodeAt(0).toString(16)}`).join('')}'`,
  (word) => `$(echo ${quote(word)})`,
  (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
]

describe('S4.3 disguise never loosens', () => {
  it('a denied command stays denied in any nest of wrappers', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...simpleDenied),
        fc.array(fc.constantFrom(...WRAPPERS.slice(0, 14)), { maxLength: 4 }),
        fc.constantFrom(...WRAPPERS),
        (command, inner, outer) => {
          expect(strictness(outer(inner.reduce((text, wrap) => wrap(text), command)))).toBe(2)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('any command line is judged as strictly inside other text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...whole), fc.constantFrom(...TEXTS), (command, wrap) => {
        expect(strictness(wrap(command))).toBeGreaterThanOrEqual(strictness(command))
      }),
      { numRuns: 1_500 },
    )
  })

  it('quoting any word changes nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('rm -rf /', 'cat /etc/shadow', 'shutdown now', 'cp x /etc/passwd'),
        fc.nat(),
        fc.constantFrom(...QUOTINGS),
        (command, at, disguise) => {
          const words = command.split(' ')
          const changed = words.map((word, index) => (index === at % words.length ? disguise(word) : word))
          expect(strictness(changed.join(' '))).toBe(2)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('joining command lines never loosens', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.constantFrom(...whole),
        fc.constantFrom('\n', '\n\n', '\ntrue\n'),
        (first, second, joint) => {
          expect(strictness(first + joint + second)).toBeGreaterThanOrEqual(strictness(first))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('ten thousand harmless parts in front never loosen', () => {
    for (const part of ['true;', 'echo a\n', 'ls|', ': && '])
      expect(strictness(`${part.repeat(10_000)}rm -rf /`)).toBe(2)
  })

  it('depth never loosens', () => {
    for (const depth of [1, 5, 20, 60, 400]) {
      expect(strictness(`${'env '.repeat(depth)}rm -rf /`)).toBe(2)
      expect(strictness(`${'$('.repeat(depth)}rm -rf /${')'.repeat(depth)}`)).toBe(2)
      expect(strictness(`${'( '.repeat(depth)}rm -rf /${' )'.repeat(depth)}`)).toBe(2)
    }
  })
})

describe('S4.3 the reader always answers', () => {
  const alphabet = fc.constantFrom(
    ...'rm -rf/~$(){}[]<>|&;`\'"\\*?!#=:,.0123abc\n\t\uE000é'.split(''),
    'echo',
    'eval ',
    '$((',
    '${',
    '<<X\n',
    'for x in ',
    'do ',
    'done',
    'case ',
    'esac',
    ' in ',
  )

  it('random text never throws and comes to an end', () => {
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 300 }), (pieces) => {
        expect(strictness(pieces.join(''))).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 2_000 },
    )
  })

  it('random bytes never throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(strictness(text)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 1_000 },
    )
  })

  const GREEDY: Readonly<Record<string, string>> = {
    'brace products': `echo ${'{a,b}'.repeat(40)}`,
    'open braces': `echo {a,b${'{'.repeat(100_000)}`,
    'doubling variables': `x=aaaaaaaaaa;${'x=$x$x;'.repeat(60)}echo $x`,
    'doubling functions': `f0(){ ls; };${Array.from({ length: 40 }, (_, index) => `f${index + 1}(){ f${index}; f${index}; };`).join('')}f40`,
    'nested loops': `${'for a in {1..100}; do '.repeat(4)}ls;${'done;'.repeat(4)}`,
    heredocs: 'cat <<a '.repeat(14_000),
    'long text': 'a'.repeat(200_000),
  }
  it.each(Object.entries(GREEDY))('%s are refused, not followed', (_, command) => {
    expect(strictness(command)).toBe(2)
  })
})
