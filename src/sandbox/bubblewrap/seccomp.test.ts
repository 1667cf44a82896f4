import { describe, expect, test } from 'vitest'
import { makeFilter } from './seccomp.ts'
import { BLOCKED_CALLS, type Machine, NUMBERS, PROCESS_CALLS } from './system-calls.ts'

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const errno = (number: number) => 0x50000 | number

interface Call {
  readonly number: number
  readonly architecture: number
  readonly args?: readonly bigint[]
}

/** Runs the program as the kernel would. */
function judge(program: Buffer, { number, architecture, args = [] }: Call): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, 0)
  data.writeUInt32LE(architecture, 4)
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(value, 16 + index * 8)
  let loaded = 0
  for (let at = 0; at < program.length / 8; at++) {
    const value = program.readUInt32LE(at * 8 + 4)
    const code = program.readUInt16LE(at * 8)
    if (code === 0x06) return value
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else {
      const holds = code === 0x15 ? loaded === value : code === 0x35 ? loaded >= value : (loaded & value) !== 0
      at += program.readUInt8(at * 8 + (holds ? 2 : 3))
    }
  }
  throw new Error('the program ran off its end')
}

describe.for(['x64', 'arm64'] as const)('the filter of %s', (machine: Machine) => {
  const { architecture, calls } = NUMBERS[machine]
  const program = makeFilter(machine)
  const ask = (number: number, ...args: bigint[]) => judge(program, { number, architecture, args })

  test('every blocked system call is refused', () => {
    const known = BLOCKED_CALLS.filter((name) => calls[name] !== undefined)
    expect(known.length).toBeGreaterThan(45)
    for (const name of known) expect(ask(calls[name] ?? -1), name).toBe(errno(1))
  })

  test('common system calls are allowed', () => {
    for (const number of machine === 'x64' ? [0, 1, 2, 59, 61, 231, 257] : [63, 64, 56, 221, 260, 94])
      expect(ask(number)).toBe(ALLOW)
  })

  test('a call for another architecture kills the process; x32 numbers are unknown', () => {
    expect(judge(program, { number: 0, architecture: 0x40000003 })).toBe(KILL)
    if (machine === 'x64') expect(ask(0x40000000 | 101)).toBe(errno(38))
  })

  test('clone creates threads and processes, never namespaces; clone3 is unknown', () => {
    expect(ask(calls.clone, 0x3d0f00n)).toBe(ALLOW)
    expect(ask(calls.clone, 17n)).toBe(ALLOW)
    for (const flag of [0x80n, 0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n, 0x40000000n])
      expect(ask(calls.clone, flag | 17n)).toBe(errno(1))
    expect(ask(calls.clone3)).toBe(errno(38))
  })

  test('a single process starts threads, and no other process', () => {
    const single = makeFilter(machine, { isSingleProcess: true })
    const askSingle = (number: number, ...args: bigint[]) => judge(single, { number, architecture, args })
    expect(askSingle(calls.clone, 0x3d0f00n)).toBe(ALLOW)
    expect(askSingle(calls.clone, 17n)).toBe(errno(1))
    expect(askSingle(calls.clone, 0x4111n)).toBe(errno(1))
    for (const name of PROCESS_CALLS) if (calls[name] !== undefined) expect(askSingle(calls[name]), name).toBe(errno(1))
    expect(askSingle(calls.ptrace ?? -1)).toBe(errno(1))
  })

  test('injecting terminal input is refused, whatever the upper half of the argument', () => {
    expect(ask(calls.ioctl, 0n, 0x5401n)).toBe(ALLOW)
    expect(ask(calls.ioctl, 0n, 0x5412n)).toBe(errno(1))
    expect(ask(calls.ioctl, 0n, 0xffffffff00005412n)).toBe(errno(1))
    expect(ask(calls.ioctl, 0n, 0x541cn)).toBe(errno(1))
  })

  test('sockets are limited to internet families, socket pairs to local ones', () => {
    for (const family of [2n, 10n, 16n]) expect(ask(calls.socket, family)).toBe(ALLOW)
    for (const family of [1n, 17n, 40n, 38n, 0n]) expect(ask(calls.socket, family)).toBe(errno(97))
    expect(ask(calls.socketpair, 1n)).toBe(ALLOW)
    expect(ask(calls.socketpair, 2n)).toBe(errno(97))
  })
})
