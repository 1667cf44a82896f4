import { useMutation } from '@tanstack/react-query'
import { StepForward } from 'lucide-react'
import { api } from '../api/api.ts'
import { Problem } from '../components/problem.tsx'

/** Goes on with a run that was cut off, without a message. */
export function GoOn({ session }: { readonly session: string }) {
  const resume = useMutation({ mutationFn: () => api().resumeSession({ id: session }) })
  return (
    <>
      <button
        type="button"
        className="linkish again"
        disabled={resume.isPending || resume.isSuccess}
        onClick={() => resume.mutate()}
      >
        <StepForward className="i s" strokeWidth={1.75} aria-hidden="true" />
        Go on
      </button>
      {resume.error && <Problem text={resume.error.message} />}
    </>
  )
}
