import { Link } from 'wouter'
import type { ToolDescription } from '../../../../src/core/tool/describe-tool.ts'
import { Shown } from '../../components/shown.tsx'
import { EffectMark } from './effect-mark.tsx'
import { LastCalls } from './last-calls.tsx'
import { SchemaTable } from './schema-table.tsx'
import { TryTool } from './try-tool.tsx'
import { Why } from './why.tsx'

const ORIGINS = {
  'built-in': 'built in',
  code: 'of a program',
  user: 'yours: runs with your rights',
  project: 'of this project: runs in the sandbox',
  mcp: 'MCP server',
} as const

/** One tool: where it comes from, what it may do, its schema, its last calls; and a form to try it. */
export function ToolView({ tool }: { readonly tool: ToolDescription }) {
  const { name, wireName, description, effect, origin, source, line, isControl } = tool
  return (
    <>
      <div className="flex wrap">
        <h2 className="m title">{name}</h2>
        <EffectMark effect={effect} isTag />
        <span className="tag line">{ORIGINS[origin]}</span>
        {isControl && <span className="tag line">always offered</span>}
        {wireName !== name && (
          <span className="t1 qq">
            models call it <code>{wireName}</code>
          </span>
        )}
      </div>
      {origin !== 'built-in' && (
        <p className="t1 qq">
          <code>{line === undefined ? source : `${source}:${line}`}</code>
        </p>
      )}
      <p className="q" style={{ marginTop: 4 }}>
        <Shown text={description} />
      </p>
      <div className="cols">
        <section aria-label="Try it">
          <h3 className="sec-h">Try it</h3>
          <TryTool tool={tool} />
        </section>
        <section aria-label="Schema">
          <h3 className="sec-h">Schema</h3>
          <SchemaTable schema={tool.parameters} />
          <div className="flex last-h">
            <h3 className="sec-h">Last calls</h3>
            <Link className="right t1" href={`/log?tool=${encodeURIComponent(name)}`}>
              All in the log
            </Link>
          </div>
          <LastCalls tool={name} />
          <Why tool={name} />
        </section>
      </div>
    </>
  )
}
