import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The control group of this process for one controller. */
export interface CgroupFolder {
  readonly folder: string
  readonly version: 1 | 2
}

/** Returns the control groups below which groups for memory and processes can be created, for version 1 or 2 of each controller. */
export function findOwnGroups(): { memory: CgroupFolder | undefined; pids: CgroupFolder | undefined } {
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

function findVersion1(
  controller: string,
  groups: readonly Group[],
  mounts: readonly Mount[],
): CgroupFolder | undefined {
  const group = groups.find(({ controllers }) => controllers.includes(controller))
  const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
  return locateGroup(group, mount, 1)
}

/** Finds a version 2 group and enables the controller for its children, which the kernel refuses while the group contains processes. */
function findVersion2(
  controller: string,
  groups: readonly Group[],
  mounts: readonly Mount[],
): CgroupFolder | undefined {
  const group = groups.find(({ controllers }) => controllers.join('') === '')
  const found = locateGroup(
    group,
    mounts.find(({ type }) => type === 'cgroup2'),
    2,
  )
  if (found === undefined || !readWords(join(found.folder, 'cgroup.controllers')).includes(controller)) return undefined
  const enabled = join(found.folder, 'cgroup.subtree_control')
  if (readWords(enabled).includes(controller)) return found
  try {
    writeFileSync(enabled, `+${controller}`)
    return found
  } catch {
    return undefined
  }
}

function locateGroup(group: Group | undefined, mount: Mount | undefined, version: 1 | 2): CgroupFolder | undefined {
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
