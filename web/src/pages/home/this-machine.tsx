import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useDoctor } from '../../api/queries.ts'
import { Shown } from '../../components/shown.tsx'

type Findings = NonNullable<ReturnType<typeof useDoctor>>

/** What works on this machine, as `haft doctor` finds it: four promises, each with what was seen or what to do. */
export function ThisMachine() {
  const findings = useDoctor()
  const of = (...names: readonly string[]) => findings?.filter(({ what }) => names.includes(what))
  return (
    <section aria-labelledby="machine" className="machine">
      <h2 id="machine">What works on this machine</h2>
      <div className="doc">
        <Promised name="Sandbox" findings={of('sandbox')}>
          files, network and processes are shut in
          {findings && `; ${of('sandbox')?.length ?? 0} checks tried just now`}
        </Promised>
        <Promised name="Your own tools" findings={of('tools')}>
          a folder of Python or TypeScript functions becomes tools. <Link href="/tools">Tools</Link>
        </Promised>
        <Promised name="Only you" findings={of('node', 'home')}>
          127.0.0.1 alone, a token is needed, other pages are refused
        </Promised>
        <Promised name="Log and undo" findings={of('log', 'workspace')}>
          every call is logged; what files were is kept, so that changes can be undone
        </Promised>
      </div>
    </section>
  )
}

interface PromisedProps {
  readonly name: string
  /** Undefined while it is being tried. */
  readonly findings: Findings | undefined
  readonly children: ReactNode
}

function Promised({ name, findings, children }: PromisedProps) {
  const failed = findings?.filter(({ holds }) => !holds) ?? []
  const Icon = findings === undefined ? LoaderCircle : failed.length > 0 ? CircleAlert : Check
  const look = findings === undefined ? 'run spin' : failed.length > 0 ? 'bad' : 'ok'
  return (
    <div>
      <h3>
        <Icon className={`i ${look}`} strokeWidth={1.75} aria-hidden="true" /> {name}
      </h3>
      {failed.length === 0 && (
        <p className="q">
          {children}
          <span className="sr">{findings === undefined ? ', being tried' : ', works'}</span>
        </p>
      )}
      {failed.map(({ what, seen }) => (
        <p key={seen} className="bad">
          <Shown text={`${what}: ${seen}`} /> See <code>haft doctor</code>.
        </p>
      ))}
    </div>
  )
}
