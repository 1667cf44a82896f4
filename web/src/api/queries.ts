import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from './api.ts'

const NONE: readonly never[] = []

/** Approval requests of every session that wait for an answer, the oldest first. */
export function useApprovals() {
  const { data } = useQuery({ queryKey: ['approvals'], queryFn: () => api().listApprovals({}) })
  return useMemo(() => data?.approvals.filter(({ answer }) => answer === null) ?? NONE, [data])
}

/** Questions of tools that wait for an answer. */
export function useInputs() {
  const { data } = useQuery({ queryKey: ['inputs'], queryFn: () => api().listInputs({}) })
  return data?.inputs ?? NONE
}

/** Sessions that people began, the last used first; those of agents are shown inside theirs. */
export function useSessions() {
  return useSessionList().sessions
}

/** One session, also that of an agent; undefined while it is not known. */
export function useSession(id: string) {
  const { data } = useQuery({ queryKey: ['sessions', 'one', id], queryFn: () => api().getSession({ id }) })
  return data?.session
}

/** The tools that a session has; undefined while they are not known. */
export function useSessionTools(id: string | undefined) {
  const { data } = useQuery({
    queryKey: ['sessions', 'tools', id],
    enabled: id !== undefined,
    queryFn: () => api().listSessionTools({ id: id ?? '' }),
  })
  return id === undefined ? undefined : data?.tools
}

/** As useSessions, and whether they are known yet. */
export function useSessionList() {
  const { data } = useQuery({ queryKey: ['sessions'], queryFn: () => api().listSessions({ limit: 200 }) })
  const sessions = useMemo(
    () => data?.sessions.filter(({ parent, model }) => parent === null && model !== null) ?? NONE,
    [data],
  )
  return { sessions, isLoaded: data !== undefined }
}

export function useTasks() {
  const { data } = useQuery({ queryKey: ['tasks'], queryFn: () => api().listTasks({}) })
  return data?.tasks ?? NONE
}

/** The tools of a workspace. `isWatched` looks again every second, so that a saved file shows at once. */
export function useTools({
  workspace,
  isWatched = false,
}: {
  workspace?: string | undefined
  isWatched?: boolean
} = {}) {
  const { data, error } = useQuery({
    queryKey: ['tools', workspace ?? ''],
    queryFn: () => api().listTools(workspace === undefined ? {} : { workspace }),
    refetchInterval: isWatched ? 1_000 : false,
  })
  return { tools: data?.tools ?? NONE, skipped: data?.skipped ?? NONE, error, isLoaded: data !== undefined }
}

/** The MCP servers of the settings; looked at again every two seconds, since they start by themselves. */
export function useMcpServers() {
  const { data } = useQuery({
    queryKey: ['mcp'],
    queryFn: () => api().listMcpServers({}),
    refetchInterval: 2_000,
  })
  return data?.servers ?? NONE
}

/** The grants: remembered approvals. */
export function useGrants() {
  const { data } = useQuery({ queryKey: ['grants'], queryFn: () => api().listGrants({}) })
  return data?.grants ?? NONE
}

/** The models, looked for again every five seconds while a page waits for one. */
export function useModels(isWatched = false) {
  const { data } = useQuery({
    queryKey: ['models'],
    queryFn: () => api().listModels({}),
    refetchInterval: isWatched ? 5_000 : false,
  })
  return data
}

export function useHealth() {
  const { data } = useQuery({ queryKey: ['health'], queryFn: () => api().health({}) })
  return data
}

export function useWorkspaces() {
  const { data } = useQuery({ queryKey: ['workspaces'], queryFn: () => api().listWorkspaces({}) })
  return data?.workspaces ?? NONE
}

/** What works on this machine; tried once a page load, since it starts processes. */
export function useDoctor() {
  const { data } = useQuery({
    queryKey: ['doctor'],
    queryFn: () => api().doctor({}),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.findings
}

/** True if the sandbox works; undefined while that is not known. */
export function useSandbox(): boolean | undefined {
  return useDoctor()?.every(({ holds, what }) => holds || !/sandbox/i.test(what))
}
