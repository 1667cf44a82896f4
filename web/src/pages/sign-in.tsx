import { CopyLine } from '../components/copy/copy-line.tsx'
import { Logo } from '../components/logo.tsx'
import { Problem } from '../components/problem.tsx'

/** Shown to whoever opens the page without a token. */
export function SignInPage({ problem }: { readonly problem: string }) {
  return (
    <main className="signin">
      <div className="brand">
        <Logo />
        <span>Haft</span>
      </div>
      <h1>This page needs the link printed by haft serve.</h1>
      <p className="q">The link carries a code that works once and signs this browser in. For a new one:</p>
      <CopyLine text="haft serve --link" />
      {problem !== '' && <Problem text={problem} />}
    </main>
  )
}
