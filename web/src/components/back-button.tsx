import { ArrowLeft } from 'lucide-react'

interface Props {
  readonly onClick: () => void
}

/** Leads from the detail back to the list, on a screen that shows only one of them. */
export function BackButton({ onClick }: Props) {
  return (
    <button type="button" className="btn bare back" onClick={onClick}>
      <ArrowLeft className="i" strokeWidth={1.75} aria-hidden="true" />
      <span>Back</span>
    </button>
  )
}
