import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The group we run in, as one controller sees it. */
export interface GroupPlace {
  readonly folder: string
  readonly version: 1 | 2
}

/** Where groups for memory and for processes could be made: below our own, whichever version each controller has. */
export function findOwnGroups(): { memory: GroupPlace | undefined; pids: GroupPlace | undefined } {
  const groups = readLines('/proc/self/cgroup').map(parseGroup)
  const mounts = readLines('/proc/self/mountinfo').flatMap(parseMount)
  const find = (controller: string) =>
    findVersion1(controller, groups, mounts) ?? findVersion2(controller, groups, mounts)
  return { memory: find('memory'), pids: find('pids') }
}

interface Group {
  readonly controllers: readonly string[]
  readonly path: string
}

interface Mount {
  readonly root: string
  readonly folder: string
  readonly type: string
  readonly options: readonly string[]
}

function parseGroup(line: string): Group {
  const [, controllers = '', ...path] = line.split(':')
  return { controllers: controllers.split(','), path: path.join(':') }
}

function parseMount(line: string): Mount[] {
  const [before = '', after = ''] = line.split(' - ')
  const [, , , root = '/', folder = ''] = before.split(' ')
  const [type = '', , options = ''] = after.split(' ')
  return type === 'cgroup' || type === 'cgroup2' ? [{ root, folder, type, options: options.split(',') }] : []
}

function findVersion1(controller: string, groups: readonly Group[], mounts: readonly Mount[]): GroupPlace | undefined {
  const group = groups.find(({ controllers }) => controllers.includes(controller))
  const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
  return place(group, mount, 1)
}

/** Here a controller must be handed down to the groups below, which the kernel refuses while processes sit in ours. */
function findVersion2(controller: string, groups: readonly Group[], mounts: readonly Mount[]): GroupPlace | undefined {
  const group = groups.find(({ controllers }) => controllers.join('') === '')
  const found = place(
    group,
    mounts.find(({ type }) => type === 'cgroup2'),
    2,
  )
  if (found === undefined || !readWords(join(found.folder, 'cgroup.controllers')).includes(controller)) return undefined
  const handedDown = join(found.folder, 'cgroup.subtree_control')
  if (readWords(handedDown).includes(controller)) return found
  try {
    writeFileSync(handedDown, `+${controller}`)
    return found
  } catch {
    return undefined
  }
}

function place(group: Group | undefined, mount: Mount | undefined, version: 1 | 2): GroupPlace | undefined {
  if (group === undefined || mount === undefined) return undefined
  const inside = mount.root === '/' ? group.path : group.path.slice(mount.root.length)
  const folder = join(mount.folder, inside)
  return existsSync(folder) ? { folder, version } : undefined
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
}

function readWords(path: string): string[] {
  return readLines(path).flatMap((line) => line.split(/\s+/))
}
