import { memo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { printable } from '../../../../src/core/text/printable.ts'
import { CodeBlock } from '../code-block.tsx'

const PLUGINS = [remarkGfm]

/** Only addresses that a person may follow; everything else becomes text. */
function safeAddress(address: string): string {
  return /^(https?:|mailto:)/i.test(address) ? address : ''
}

const COMPONENTS: Components = {
  a({ href, children }) {
    if (!href) return <>{children}</>
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    )
  },
  // An image of a message would be fetched from wherever the model says.
  img({ alt, src }) {
    return <span className="q">[image: {alt || String(src ?? '')}]</span>
  },
  pre({ children }) {
    return <>{children}</>
  },
  code({ className, children }) {
    const text = String(children ?? '')
    const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1]
    if (language === undefined && !text.includes('\n')) return <code>{text}</code>
    return <CodeBlock code={text.replace(/\n$/, '')} language={language} />
  },
}

/** Markdown of a message. HTML in it is shown as text; nothing is loaded from elsewhere. */
export const Prose = memo(function Prose({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      <Markdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={safeAddress}>
        {printable(text)}
      </Markdown>
    </div>
  )
})
