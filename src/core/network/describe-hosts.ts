/** Hosts that people know by another name. */
const SERVICES: readonly { readonly name: string; readonly hosts: readonly string[] }[] = [
  { name: 'the npm registry', hosts: ['registry.npmjs.org', 'registry.yarnpkg.com'] },
  { name: 'PyPI', hosts: ['pypi.org', 'files.pythonhosted.org'] },
  { name: 'crates.io', hosts: ['index.crates.io', 'static.crates.io', 'crates.io'] },
  { name: 'the Go module proxy', hosts: ['proxy.golang.org', 'sum.golang.org', 'storage.googleapis.com'] },
  { name: 'RubyGems', hosts: ['rubygems.org', 'index.rubygems.org'] },
]

/** Lists hosts for people: `the npm registry (registry.npmjs.org) and example.com`. */
export function describeHosts(hosts: readonly string[]): string {
  const services = SERVICES.flatMap(({ name, hosts: own }) => {
    const used = hosts.filter((host) => own.includes(host))
    return used.length === 0 ? [] : [`${name} (${used.join(', ')})`]
  })
  const others = hosts.filter((host) => !SERVICES.some((service) => service.hosts.includes(host)))
  const all = [...services, ...others]
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
