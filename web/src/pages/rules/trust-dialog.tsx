import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AlertDialog } from 'radix-ui'
import { api } from '../../api/api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { DiffView } from '../../components/diff-view.tsx'
import { Problem } from '../../components/problem.tsx'
import type { ProjectTrust } from './rule-rows.ts'

/** Shows what a project's own settings and tools would change, and what is new since they were trusted last; then trusts exactly that. */
export function TrustDialog({ trust, onClose }: { readonly trust: ProjectTrust; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const { digest, difference, isTrusted, content, tools, ignored } = trust
  const accept = useMutation({
    mutationFn: () => api().trustProject({ digest: digest ?? '' }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <AlertDialog.Root open onOpenChange={onClose}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="veil" />
        <AlertDialog.Content className="pop dialog wide-dialog">
          <AlertDialog.Title asChild>
            <h2>{isTrusted ? 'What you trust in this project' : 'Trust this project?'}</h2>
          </AlertDialog.Title>
          <AlertDialog.Description className="q">
            {isTrusted
              ? 'Its rules and its tools count. When one of these files changes, it is not trusted any more.'
              : 'Its rules may then also allow, and its tools are loaded and run in the sandbox. A later change of these files needs a new look.'}
          </AlertDialog.Description>
          {!isTrusted && ignored.length > 0 && (
            <p className="t1 q">
              Ignored until then: <code>{ignored.join(', ')}</code>
            </p>
          )}
          <div className="scroll-box">
            {isTrusted ? (
              <CodeBlock code={content ?? tools.join('\n')} language="toml" />
            ) : (
              <DiffView diff={difference} />
            )}
          </div>
          {accept.error && <Problem text={accept.error.message} />}
          <div className="flex" style={{ justifyContent: 'flex-end' }}>
            <AlertDialog.Cancel className="btn big">{isTrusted ? 'Close' : 'Do not trust'}</AlertDialog.Cancel>
            {!isTrusted && (
              <button
                type="button"
                className="btn big pri"
                disabled={accept.isPending || digest === null}
                onClick={() => accept.mutate()}
              >
                {accept.isPending ? 'Reading them again…' : 'Trust what is shown'}
              </button>
            )}
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
