import { Check, Copy } from 'lucide-react'
import { useState } from 'react'

interface Props {
  readonly text: string
  readonly label: string
  readonly className?: string
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label, className = '' }: Props) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    navigator.clipboard?.writeText(text).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), 1_500)
      },
      () => undefined,
    )
  }
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      className={`btn bare ico ${className}`}
      onClick={copy}
      aria-label={isCopied ? 'Copied' : label}
      title={label}
    >
      <Icon className="i s" strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
