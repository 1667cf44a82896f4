import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'
import { toolFile, writeFiles } from '../../support/python-tools.ts'

/** A Python tool that starts a program and then holds the interpreter's lock in a regular expression without end. */
const PYTHON = toolFile(
  `
import os, re, subprocess
def never_ends(pids):
    child = subprocess.Popen(["sleep", "600"])
    with open(pids, "w") as file: file.write(f"{os.getpid()} {child.pid}\\n")
    re.match("(a+)+$", "a" * 60 + "!")
`,
  { never_ends: {} },
)

/** A TypeScript tool that starts a program and never returns to the event loop. */
const NODE = `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { defineTool } from 'haft'
export const neverEnds = defineTool({
  name: 'never_ends',
  description: 'Hangs.',
  input: { type: 'object', properties: { pids: { type: 'string', description: 'A file' } } },
  effect: 'none',
  execute({ pids }) {
    const child = spawn('sleep', ['600'])
    writeFileSync(pids, \`\${process.pid} \${child.pid}\\n\`)
    for (;;);
  },
})
`

/** An MCP server that starts a program when its tool is called, and ignores both SIGTERM and the end of its input. */
const SERVER = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
const tools = [{ name: 'never_ends', description: 'Hangs.', inputSchema: { type: 'object', additionalProperties: true } }]
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    send(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
  else if (method === 'tools/list') send(id, { tools })
  else if (method === 'tools/call') {
    const child = spawn('sleep', ['600'])
    writeFileSync(params.arguments.pids, \`\${process.pid} \${process.ppid} \${child.pid}\\n\`)
  } else if (id !== undefined)
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }) + '\\n')
})
`

const BARE = 'sleep 600 & echo "$$ $!" > "$PIDS"; while :; do :; done'

test.each([
  ['a Python tool that hangs', 'never_ends', { 'home/tools/never-ends.py': PYTHON }],
  ['a TypeScript tool that hangs', 'never_ends', { 'home/tools/never-ends.ts': NODE }],
  ['a tool of an MCP server that a shell started', 's:never_ends', { 'server.mjs': SERVER }],
  ['a command without a sandbox', 'run_code', { 'home/settings.toml': 'sandbox = "off"\n' }],
])('no process of the group is left when Haft is killed during the call of %s', async (_, tool, files) => {
  const program = buildProgram()
  const folder = join(program.home, '..')
  const pids = join(folder, 'pids')
  const settings = `[mcp.s]\ncommand = "/bin/sh"\nargs = ["-c", "'${process.execPath}' server.mjs; true"]\ncwd = "${folder}"\n`
  writeFiles(folder, { 'home/settings.toml': settings, ...files })
  const given = tool === 'run_code' ? { language: 'bash', code: BARE.replace('$PIDS', pids) } : { pids }
  const killed = haft(program, ['call', tool, JSON.stringify(given), '--yes'], {
    onStart: (kill) =>
      void expect
        .poll(() => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n'), { timeout: 20_000 })
        .toBe(true)
        .finally(() => kill('SIGKILL')),
  })
  expect(await killed).toMatchObject({ code: null, stderr: '' })
  const started = readFileSync(pids, 'utf8').trim().split(' ')
  const listRunning = () =>
    started.filter(
      (pid) => existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')),
    )
  await expect.poll(listRunning, { timeout: 10_000 }).toEqual([])
})
