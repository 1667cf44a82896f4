import { lazy, Suspense } from 'react'
import { Link, Route, Switch } from 'wouter'
import { Page } from './components/page.tsx'
import { Frame } from './frame.tsx'
import { HomePage } from './pages/home.tsx'

const SessionPage = lazy(() => import('./pages/session.tsx').then(({ SessionPage: Page }) => ({ default: Page })))
const InboxPage = lazy(() => import('./pages/inbox.tsx').then(({ InboxPage: Page }) => ({ default: Page })))

const NewSessionPage = lazy(() =>
  import('./pages/new-session.tsx').then(({ NewSessionPage: Page }) => ({ default: Page })),
)

const ConnectModelPage = lazy(() =>
  import('./pages/connect-model.tsx').then(({ ConnectModelPage: Page }) => ({ default: Page })),
)

const ToolsPage = lazy(() => import('./pages/tools/tools-page.tsx').then(({ ToolsPage: Page }) => ({ default: Page })))
const TasksPage = lazy(() => import('./pages/tasks/tasks-page.tsx').then(({ TasksPage: Page }) => ({ default: Page })))
const PlansPage = lazy(() => import('./pages/plans/plans-page.tsx').then(({ PlansPage: Page }) => ({ default: Page })))
const PlanPage = lazy(() => import('./pages/plans/plan-page.tsx').then(({ PlanPage: Page }) => ({ default: Page })))
const LogPage = lazy(() => import('./pages/log/log-page.tsx').then(({ LogPage: Page }) => ({ default: Page })))
const RulesPage = lazy(() => import('./pages/rules/rules-page.tsx').then(({ RulesPage: Page }) => ({ default: Page })))
const SettingsPage = lazy(() =>
  import('./pages/settings/settings-page.tsx').then(({ SettingsPage: Page }) => ({ default: Page })),
)

/** The pages of the app. */
export function App() {
  return (
    <Frame>
      <Suspense fallback={<div className="pad q">Loading…</div>}>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/new" component={NewSessionPage} />
          <Route path="/inbox" component={InboxPage} />
          <Route path="/settings/models/new" component={ConnectModelPage} />
          <Route path="/tools" component={ToolsPage} />
          <Route path="/tasks" component={TasksPage} />
          <Route path="/plans" component={PlansPage} />
          <Route path="/plans/:id">{({ id }) => <PlanPage key={id} id={id ?? ''} />}</Route>
          <Route path="/log" component={LogPage} />
          <Route path="/rules" component={RulesPage} />
          <Route path="/settings">{() => <SettingsPage />}</Route>
          <Route path="/settings/:section">{({ section }) => <SettingsPage section={section} />}</Route>
          <Route path="/sessions/:id">{({ id }) => <SessionPage key={id} id={id ?? ''} />}</Route>
          <Route>
            <Page title="Not found">
              <div className="pad q">
                There is no such page. <Link href="/">All sessions</Link>
              </div>
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  )
}
