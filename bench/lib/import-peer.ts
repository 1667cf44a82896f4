/** A package of bench/package.json, typed by the caller as far as it is used: the type check must pass without it installed. */
export async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module
}
