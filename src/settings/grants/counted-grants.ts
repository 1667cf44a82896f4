import { type Grant, type Grants, isGrantLive } from '../../core/approval/grant.ts'
import { messageOf } from '../../core/call/result.ts'

/** Grants that one process at a time can change, atomically. */
export interface GrantsFile {
  /** Returns the grants; the same array as long as the file is unchanged. */
  read(): readonly Grant[]
  /** Replaces the grants by the result of `change`; throws when they cannot be written. */
  change(change: (grants: readonly Grant[]) => readonly Grant[]): void
}

/** How long uses of an unlimited grant may wait to be written, in milliseconds. */
const DELAY = 1_000

/** Counts the uses of grants: written at once when uses are limited, later when they are not. */
export function createCountedGrants(file: GrantsFile): Grants {
  const behind = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (behind.size === 0) return
    try {
      file.change((grants) => grants.map((grant) => addUses(grant, behind.get(grant.id) ?? 0)))
      behind.clear()
    } catch (thrown) {
      process.emitWarning(`The uses of grants could not be saved: ${messageOf(thrown)}`, 'HaftGrantsWarning')
    }
  }
  let listed: { readonly from: readonly Grant[]; readonly grants: readonly Grant[] } = { from: [], grants: [] }
  const live = () => {
    const from = file.read()
    const isSame = listed.from === from && listed.grants.every((grant) => isGrantLive(grant, Date.now()))
    if (!isSame) listed = { from, grants: from.filter((grant) => isGrantLive(grant, Date.now())) }
    return listed.grants
  }
  return {
    list: async () => live(),
    add: async (grant) => file.change((grants) => [...grants, grant]),
    async use(id) {
      const grant = file.read().find((one) => one.id === id)
      if (!grant || !isGrantLive(grant, Date.now())) return false
      if (grant.times !== undefined) return useOnce(file, id)
      behind.set(id, (behind.get(id) ?? 0) + 1)
      timer ??= setTimeout(flush, DELAY).unref()
      return true
    },
    async revoke(id) {
      let found = false
      file.change((grants) => {
        found = grants.some((grant) => grant.id === id)
        return grants.filter((grant) => grant.id !== id)
      })
      return found
    },
    flush,
  }
}

/** Reads and writes under the lock, so that the count is exact across processes. */
function useOnce(file: GrantsFile, id: string): boolean {
  let isLeft = false
  file.change((grants) =>
    grants.map((grant) => {
      if (grant.id !== id || !isGrantLive(grant, Date.now())) return grant
      isLeft = true
      return addUses(grant, 1)
    }),
  )
  return isLeft
}

function addUses(grant: Grant, uses: number): Grant {
  return uses === 0 ? grant : { ...grant, used: grant.used + uses }
}
