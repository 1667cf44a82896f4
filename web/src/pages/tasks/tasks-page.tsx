import { useQuery } from '@tanstack/react-query'
import { Layers } from 'lucide-react'
import { useMemo, useState } from 'react'
import { api } from '../../api/api.ts'
import { useSessions } from '../../api/queries.ts'
import { BackButton } from '../../components/back-button.tsx'
import { Page } from '../../components/page.tsx'
import { Shown } from '../../components/shown.tsx'
import { StateIcon } from '../../components/state-icon.tsx'
import { TimeSince } from '../../components/time-since.tsx'
import { LoadState } from '../../lists/load-state.tsx'
import { Rows } from '../../lists/rows.tsx'
import { useListKeys } from '../../lists/use-list-keys.ts'
import { useParams } from '../../lists/use-params.ts'
import { shownDuration, shownName } from '../../session/call-state.ts'
import { mainText } from '../log/call-words.ts'
import { stateOfTask } from './task-state.ts'
import { TaskView } from './task-view.tsx'

/** How many tasks are listed at first, and at most. */
const FIRST = 200
const MOST = 10_000

/** Background tasks of every session and process, the newest first; beside the list one of them, live. */
export function TasksPage() {
  const { get, set } = useParams()
  const chosen = get('task')
  const [limit, setLimit] = useState(FIRST)
  const query = useQuery({
    queryKey: ['tasks', limit],
    queryFn: () => api().listTasks({ limit }),
    retry: 1,
    placeholderData: (before) => before,
  })
  const tasks = query.data?.tasks ?? []
  const titles = new Map(useSessions().map(({ session, title }) => [session, title ?? 'Untitled']))
  const ids = useMemo(() => tasks.map(({ task }) => task), [tasks])
  const choose = (task: string) => set({ task }, { isStep: chosen === undefined })
  const close = () => set({ task: undefined })
  useListKeys({ ids, current: chosen, choose, close })
  const running = tasks.filter(({ state }) => state !== 'ended').length
  const isEmpty = query.data !== undefined && tasks.length === 0 && chosen === undefined
  const current = tasks.find(({ task }) => task === chosen)
  return (
    <Page
      title="Tasks"
      className="p-tasks"
      view={chosen === undefined ? undefined : 'detail'}
      heading={
        <>
          <BackButton onClick={close} />
          <h1>Tasks</h1>
          <span className="q">
            {tasks.length > 0 &&
              `${running} running, ${tasks.length.toLocaleString('en')}${tasks.length === limit ? '+' : ''} in all`}
          </span>
        </>
      }
    >
      <div className={isEmpty ? 'pane grow' : 'two'}>
        <div className="pane col">
          <LoadState
            query={query}
            what="tasks"
            isEmpty={tasks.length === 0}
            Icon={Layers}
            title="Nothing runs in the background."
            empty="A command that keeps running, such as a development server, goes on here while its session does other work. You see its output, and can cancel it."
          />
          {tasks.length > 0 && (
            <Rows
              label="Tasks, the newest first"
              rows={tasks}
              keyOf={({ task }) => task}
              sizeOf={() => 56}
              current={chosen}
              onEnd={tasks.length === limit && limit < MOST ? () => setLimit(MOST) : undefined}
              draw={(one) => {
                const state = stateOfTask(one)
                return (
                  <button
                    type="button"
                    className="li"
                    aria-current={one.task === chosen ? 'true' : undefined}
                    onClick={() => choose(one.task)}
                  >
                    <StateIcon state={state} />
                    <span className="grow">
                      <span className="m cut" style={{ display: 'block' }}>
                        <b>{shownName(one.tool)}</b> <Shown text={mainText(one.arguments)} isLine />
                      </span>
                      <span className="meta cut" style={{ display: 'block' }}>
                        {state} · <Shown text={titles.get(one.session) ?? 'called by a person or a program'} isLine />
                      </span>
                    </span>
                    <span className="t1 qq nw">
                      {one.duration === null ? <TimeSince at={one.startedAt} /> : shownDuration(one.duration)}
                    </span>
                  </button>
                )
              }}
            />
          )}
        </div>
        {!isEmpty && (
          <div className="pane">
            <div className="det">
              {chosen === undefined ? (
                <p className="q">Choose a task to see its output, to cancel it, or to decide about its changes.</p>
              ) : (
                <TaskView key={chosen} id={chosen} session={current?.session} />
              )}
            </div>
          </div>
        )}
      </div>
    </Page>
  )
}
