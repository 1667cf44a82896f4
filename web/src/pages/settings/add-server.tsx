import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { Problem } from '../../components/problem.tsx'

/** A form that adds an MCP server: a program on this machine or an address. It is tried first and kept only if it answers. */
export function AddServer() {
  const queries = useQueryClient()
  const [kind, setKind] = useState<'command' | 'url'>('command')
  const [name, setName] = useState('')
  const [target, setTarget] = useState('')
  const [pairs, setPairs] = useState('')
  const add = useMutation({
    mutationFn: () => {
      const named = { name: name.trim() }
      const values = pairsOf(pairs)
      if (kind === 'url')
        return api().addMcpServer({ ...named, url: target.trim(), ...(values && { headers: values }) })
      const [command = '', ...args] = wordsOf(target)
      return api().addMcpServer({ ...named, command, args, ...(values && { env: values }) })
    },
    onSuccess: () => {
      setName('')
      setTarget('')
      setPairs('')
    },
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ['mcp'] })
      queries.invalidateQueries({ queryKey: ['tools'] })
    },
  })
  return (
    <form
      className="sub-form"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <h3 className="sec-h">Add a server</h3>
      <fieldset className="fld">
        <legend className="lab">It is</legend>
        <label className="flex radio-line">
          <input type="radio" name="kind" checked={kind === 'command'} onChange={() => setKind('command')} />a program
          on this machine
        </label>
        <label className="flex radio-line">
          <input type="radio" name="kind" checked={kind === 'url'} onChange={() => setKind('url')} />a service at an
          address
        </label>
      </fieldset>
      <div className="fld">
        <label className="lab" htmlFor="mcp-name">
          Name <span className="qq">required</span>
        </label>
        <input id="mcp-name" className="in m" value={name} onChange={({ target: field }) => setName(field.value)} />
      </div>
      <div className="fld">
        <label className="lab" htmlFor="mcp-target">
          {kind === 'command' ? 'Command' : 'Address'} <span className="qq">required</span>
        </label>
        <input
          id="mcp-target"
          className="in m"
          value={target}
          onChange={({ target: field }) => setTarget(field.value)}
        />
        <p className="help">
          {kind === 'command'
            ? 'For instance npx -y @modelcontextprotocol/server-filesystem /home/me/docs. Quote words that hold spaces.'
            : 'For instance https://mcp.example.com/mcp'}
        </p>
      </div>
      <div className="fld">
        <label className="lab" htmlFor="mcp-pairs">
          {kind === 'command' ? 'Environment' : 'Headers'}
        </label>
        <textarea
          id="mcp-pairs"
          className="in m"
          rows={2}
          spellCheck={false}
          value={pairs}
          onChange={({ target: field }) => setPairs(field.value)}
        />
        <p className="help">
          One NAME=value a line. <code>$&#123;NAME&#125;</code> takes the value from the environment of Haft, so that no
          key is written down.
        </p>
      </div>
      <button type="submit" className="btn pri" disabled={add.isPending || name.trim() === '' || target.trim() === ''}>
        {add.isPending ? 'Trying it…' : 'Try and add'}
      </button>
      {add.error && <Problem text={add.error.message}>It was not added.</Problem>}
      {add.data && (
        <p className="note ok" role="status">
          <Check className="i" strokeWidth={1.75} aria-hidden="true" />
          {add.data.server.name} answers and offers {add.data.server.tools} tools.
        </p>
      )}
    </form>
  )
}

/** Splits a command into words; quotes keep spaces. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

function pairsOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split('\n').flatMap((line) => {
    const at = line.indexOf('=')
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()]] : []
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}
