import { endianness } from 'node:os'
import { BLOCKED_CALLS, type Machine, NUMBERS, PROCESS_CALLS } from './system-calls.ts'

// Offsets in struct seccomp_data, and the instructions of classic BPF that the filter needs.
const NUMBER_AT = 0
const ARCHITECTURE_AT = 4
const ARGUMENTS_AT = 16
const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_GREATER_EQUAL = 0x35
const JUMP_BITS = 0x45
const RETURN = 0x06

const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const refuseWith = (errno: number): number => 0x00050000 | errno
const EPERM = 1
const EAFNOSUPPORT = 97
const ENOSYS = 38

/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e020080
/** CLONE_THREAD. */
const SAME_PROCESS = 0x00010000
const X32_BIT = 0x40000000
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const AF_NETLINK = 16

interface Instruction {
  readonly code: number
  readonly ifTrue: number
  readonly ifFalse: number
  readonly value: number
}

const load = (offset: number): Instruction => ({ code: LOAD, ifTrue: 0, ifFalse: 0, value: offset })
const returnValue = (value: number): Instruction => ({ code: RETURN, ifTrue: 0, ifFalse: 0, value })

/** Runs the body when the comparison holds, else skips it. */
const when = (code: number, value: number, body: readonly Instruction[]): Instruction[] => [
  { code, ifTrue: 0, ifFalse: body.length, value },
  ...body,
]

/** Runs the body when the comparison does not hold. */
const unless = (code: number, value: number, body: readonly Instruction[]): Instruction[] => [
  { code, ifTrue: body.length, ifFalse: 0, value },
  ...body,
]

/** Loads the low half of an argument; flags, families and request numbers are only there. */
const loadArgument = (index: number): Instruction => load(ARGUMENTS_AT + index * 8 + (endianness() === 'LE' ? 0 : 4))

/** Makes the filter of system calls for sandboxed processes, as the bytes of `struct sock_filter[]`. A single process can start threads and no other process. */
export function makeFilter(machine: Machine, { isSingleProcess = false } = {}): Buffer {
  const { architecture, calls } = NUMBERS[machine]
  const names = isSingleProcess ? [...BLOCKED_CALLS, ...PROCESS_CALLS] : BLOCKED_CALLS
  const refused = names.flatMap((name) => calls[name] ?? [])
  return encode([
    load(ARCHITECTURE_AT),
    ...unless(JUMP_EQUAL, architecture, [returnValue(KILL_PROCESS)]),
    load(NUMBER_AT),
    ...(machine === 'x64' ? when(JUMP_GREATER_EQUAL, X32_BIT, [returnValue(refuseWith(ENOSYS))]) : []),
    ...refused.flatMap((number) => when(JUMP_EQUAL, number, [returnValue(refuseWith(EPERM))])),
    // Its flags are in memory, which the filter cannot read; C libraries fall back to clone.
    ...when(JUMP_EQUAL, calls.clone3, [returnValue(refuseWith(ENOSYS))]),
    ...whenCall(calls.clone, [
      loadArgument(0),
      ...(isSingleProcess ? unless(JUMP_BITS, SAME_PROCESS, [returnValue(refuseWith(EPERM))]) : []),
      ...when(JUMP_BITS, NEW_NAMESPACES, [returnValue(refuseWith(EPERM))]),
      returnValue(ALLOW),
    ]),
    ...whenCall(calls.ioctl, [
      loadArgument(1),
      ...when(JUMP_EQUAL, TIOCSTI, [returnValue(refuseWith(EPERM))]),
      ...when(JUMP_EQUAL, TIOCLINUX, [returnValue(refuseWith(EPERM))]),
      returnValue(ALLOW),
    ]),
    ...whenCall(calls.socket, allowFamilies([AF_INET, AF_INET6, AF_NETLINK])),
    ...whenCall(calls.socketpair, allowFamilies([AF_UNIX])),
    returnValue(ALLOW),
  ])
}

const whenCall = (number: number, body: readonly Instruction[]): Instruction[] => when(JUMP_EQUAL, number, body)

function allowFamilies(families: readonly number[]): Instruction[] {
  return [
    loadArgument(0),
    ...families.flatMap((family) => when(JUMP_EQUAL, family, [returnValue(ALLOW)])),
    returnValue(refuseWith(EAFNOSUPPORT)),
  ]
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
