// Adds the optional packages of other platforms that npm left out of package-lock.json because the registry at hand has no
// copy of them. `npm ci` wants them listed, and fetches only the one that fits the machine. Run it after `npm install`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

interface Locked {
  version: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** What a platform package's name says of the machines it is for: `binding-linux-x64-musl`. */
function platformOf(name: string): Pick<Locked, 'os' | 'cpu' | 'libc'> {
  const words = name.replace(/^.*\//, '').replace('windows', 'win32').replace('linuxmusl', 'linux-musl').split('-')
  const os = words.filter((word) => SYSTEMS.includes(word))
  const cpu = words.filter((word) => PROCESSORS.includes(word))
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : []
  if (cpu.length === 0 && os.length === 0) throw new Error(`${name} does not say what platform it is for`)
  return { ...(os.length > 0 && { os }), ...(cpu.length > 0 && { cpu }), ...(libc.length > 0 && { libc }) }
}

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '..'))
const file = join(folder, 'package-lock.json')
const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(file, 'utf8'))
const added: string[] = []
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`
    if (lock.packages[place]) continue
    lock.packages[place] = { version, ...(owner.dev && { dev: true }), optional: true, ...platformOf(name) }
    added.push(name)
  }
}
const [root, ...rest] = Object.entries(lock.packages)
lock.packages = Object.fromEntries([...(root ? [root] : []), ...rest.sort(([a], [b]) => a.localeCompare(b, 'en'))])
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(added.length === 0 ? 'package-lock.json was complete' : `added to package-lock.json: ${added.join(', ')}`)
