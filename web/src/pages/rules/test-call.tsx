import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useTools } from '../../api/queries.ts'
import { Problem } from '../../components/problem.tsx'
import { useSettled } from '../../components/use-settled.ts'
import { useParams } from '../../lists/use-params.ts'
import { CheckNote } from '../tools/check-note.tsx'
import { CheckTrace } from '../tools/check-trace.tsx'
import { argumentsFor, mainOf } from './main-argument.ts'

/** Tests a call against the rules and says why it would be allowed, asked about or blocked. Nothing runs. */
export function TestCall() {
  const { get, set } = useParams()
  const { tools } = useTools()
  const tool = get('tool') ?? 'shell'
  const [text, setText] = useState(get('args') ?? '')
  const settled = useSettled(text, 200)
  const schema = tools.find(({ name }) => name === tool)?.parameters
  const main = mainOf(schema)
  const sent = argumentsFor(settled, main)
  const check = useQuery({
    queryKey: ['check', tool, settled, get('mode') ?? ''],
    enabled: settled.trim() !== '' && schema !== undefined,
    queryFn: () => {
      const mode = (['plan', 'ask', 'review', 'edit', 'auto'] as const).find((one) => one === get('mode'))
      return api().checkTool({ name: tool, arguments: sent, ...(mode && { mode }) })
    },
    retry: 1,
    placeholderData: (before) => before,
  })
  const report = settled.trim() === '' ? undefined : check.data
  return (
    <>
      <h2 className="sec-h">
        Test a call <span className="qq">nothing runs</span>
      </h2>
      <div className="fld">
        <label className="lab" htmlFor="test-tool">
          Tool
        </label>
        <select
          id="test-tool"
          className="in m"
          value={tool}
          onChange={({ target }) => {
            set({ tool: target.value })
            setText('')
          }}
        >
          {tools.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div className="fld">
        <label className="lab" htmlFor="test-main">
          {main ?? 'Arguments'} <span className="qq">or all arguments as JSON</span>
        </label>
        <textarea
          id="test-main"
          className="in m"
          rows={2}
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            set({ args: target.value })
          }}
        />
      </div>
      {check.error && <Problem text={check.error.message} />}
      {report ? (
        <>
          <CheckNote report={report} />
          <CheckTrace report={report} />
          <p className="flex wrap" style={{ marginTop: 12 }}>
            <button
              type="button"
              className="linkish"
              onClick={() => set({ view: 'write', example: `${tool} ${JSON.stringify(sent)}` })}
            >
              Write a rule with this call as its example
            </button>
          </p>
        </>
      ) : (
        <p className="q">Type a {main ?? 'call'} to see which rules speak, layer by layer, and what they come to.</p>
      )}
    </>
  )
}
