import { type ComponentProps, lazy, Suspense } from 'react'

const Dialog = lazy(() => import('./undo-dialog.tsx').then(({ UndoDialog: dialog }) => ({ default: dialog })))

/** The dialog that undoes, loaded when it is first opened. */
export function UndoDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  )
}
