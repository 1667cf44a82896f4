import { CopyButton } from './copy-button.tsx'

/** A command to be typed elsewhere, with a button that copies it. */
export function CopyLine({ text }: { readonly text: string }) {
  return (
    <span className="cmd">
      <code>{text}</code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  )
}
