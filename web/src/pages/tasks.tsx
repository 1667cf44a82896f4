import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api } from '../api/api.ts'
import { useTasks } from '../api/queries.ts'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { Shown } from '../components/shown.tsx'
import { shownDuration } from '../session/call-state.ts'

/** Background tasks of every session and process, the newest first. */
export function TasksPage() {
  const tasks = useTasks()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: (id: string) => api().cancelTask({ id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  })
  return (
    <Page title="Tasks">
      <div className="body pad">
        {cancel.error && <Problem text={cancel.error.message} />}
        {tasks.length === 0 && <p className="q">Nothing runs in the background.</p>}
        {tasks.length > 0 && (
          <table>
            <thead>
              <tr>
                <th>State</th>
                <th>Call</th>
                <th>Session</th>
                <th>Time</th>
                <th>
                  <span className="sr">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {tasks.map(({ task, session, tool, arguments: args, state, outcome, duration }) => (
                <tr key={task}>
                  <td>{state === 'ended' ? `ended: ${String(outcome)}` : state}</td>
                  <td className="m">
                    {tool} <Shown text={args} isLine />
                  </td>
                  <td>
                    <Link href={`/sessions/${session}`}>Open session</Link>
                  </td>
                  <td>{duration === null ? '' : shownDuration(duration)}</td>
                  <td>
                    {state !== 'ended' && (
                      <button
                        type="button"
                        className="btn"
                        onClick={() => cancel.mutate(task)}
                        disabled={cancel.isPending}
                      >
                        Cancel
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Page>
  )
}
