import { Check, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useModels } from '../../api/queries.ts'
import { CopyLine } from '../../components/copy/copy-line.tsx'

/** Where models come from, what was found of each, and how to connect one. */
export function ModelSources() {
  const models = useModels()
  const found = (word: string) =>
    models?.models.filter(({ name, from }) => `${name} ${from}`.toLowerCase().includes(word)).length ?? 0
  const ollama = found('ollama')
  const studio = found('lmstudio')
  return (
    <section aria-labelledby="connect">
      <h2 id="connect">Connect a model</h2>
      <p className="q">Haft looks again every 5 s; nothing to restart.</p>
      <div className="rows">
        <Source name="Ollama" count={ollama} missing="not answering on :11434">
          Install it from ollama.com, then:
          <CopyLine text="ollama pull qwen3:8b" />
        </Source>
        <Source name="LM Studio" count={studio} missing="not answering on :1234">
          Load a model and switch the local server on.
        </Source>
        <Source name="Any other server, or a hosted model" count={0} missing="">
          vLLM, llama.cpp, OpenAI, Anthropic, Google: give address and key; it is tried at once.
          <span className="act">
            <Link className="btn" href="/settings/models/new">
              Connect a model
            </Link>
          </span>
        </Source>
      </div>
    </section>
  )
}

interface SourceProps {
  readonly name: string
  readonly count: number
  readonly missing: string
  readonly children: ReactNode
}

function Source({ name, count, missing, children }: SourceProps) {
  const isThere = count > 0
  const Icon = isThere ? Check : CircleDashed
  return (
    <div className="src">
      <Icon className={`i ${isThere ? 'ok' : 'off'}`} strokeWidth={1.75} aria-hidden="true" />
      <span className="b">{name}</span>
      <span className="t1 qq">{isThere ? `${count} found` : missing}</span>
      {!isThere && <div className="x">{children}</div>}
    </div>
  )
}
