import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { MODEL_PROVIDERS, type ModelProvider } from '../../../src/core/model-settings.ts'
import { api } from '../api/api.ts'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'

const NAMES: Readonly<Record<ModelProvider, readonly [string, string]>> = {
  ollama: ['Ollama', 'http://127.0.0.1:11434'],
  openai: [
    'OpenAI, or any server that speaks its protocol (LM Studio, vLLM, llama.cpp, OpenRouter)',
    'http://127.0.0.1:8080/v1',
  ],
  anthropic: ['Anthropic', ''],
  google: ['Google', ''],
}

/** Connects a model: provider, address, key; the server is asked for its models, and the chosen one is tried before it is used. */
export function ConnectModelPage() {
  const [, go] = useLocation()
  const queries = useQueryClient()
  const [provider, setProvider] = useState<ModelProvider>('openai')
  const [baseUrl, setBaseUrl] = useState('')
  const [key, setKey] = useState('')
  const [model, setModel] = useState('')
  const address = baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }
  const secret = key === '' ? {} : { key }
  const offered = useMutation({ mutationFn: () => api().offeredModels({ provider, ...address, ...secret }) })
  const add = useMutation({
    mutationFn: async () => {
      const name = nameOf(model)
      await api().addModel({ name, settings: { provider, model, ...address }, ...secret, isDefault: true })
      return api().testModel({ name })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['models'] }),
  })
  return (
    <Page title="Connect a model">
      <div className="body">
        <form
          className="form-page"
          onSubmit={(event) => {
            event.preventDefault()
            if (model !== '') add.mutate()
            else offered.mutate()
          }}
        >
          <div className="fld">
            <label className="lab" htmlFor="provider">
              Provider
            </label>
            <select
              id="provider"
              className="in"
              value={provider}
              onChange={({ target }) => {
                setProvider(MODEL_PROVIDERS.find((one) => one === target.value) ?? 'openai')
                setModel('')
                offered.reset()
              }}
            >
              {MODEL_PROVIDERS.map((one) => (
                <option key={one} value={one}>
                  {NAMES[one][0]}
                </option>
              ))}
            </select>
          </div>
          <div className="fld">
            <label className="lab" htmlFor="address">
              Address
            </label>
            <input id="address" className="in m" value={baseUrl} onChange={({ target }) => setBaseUrl(target.value)} />
            <p className="help">
              {NAMES[provider][1] === ''
                ? 'Empty: the provider’s own address.'
                : `For instance ${NAMES[provider][1]}. Empty: the provider’s own.`}
            </p>
          </div>
          <div className="fld">
            <label className="lab" htmlFor="key">
              Key
            </label>
            <input
              id="key"
              className="in m"
              type="password"
              autoComplete="off"
              value={key}
              onChange={({ target }) => setKey(target.value)}
            />
            <p className="help">
              Kept in a private file of Haft, never in the settings or the log. Local servers need none.
            </p>
          </div>
          <button type="button" className="btn" disabled={offered.isPending} onClick={() => offered.mutate()}>
            {offered.isPending ? 'Asking…' : 'Show its models'}
          </button>
          {offered.error && <Problem text={offered.error.message} />}
          <div className="fld f">
            <label className="lab" htmlFor="model">
              Model
            </label>
            <input
              id="model"
              className="in m"
              list="offered"
              value={model}
              onChange={({ target }) => setModel(target.value)}
            />
            <datalist id="offered">
              {offered.data?.models.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            {offered.data && (
              <p className="help">{offered.data.models.length} models are offered. Choose one, or type its name.</p>
            )}
          </div>
          <button type="submit" className="btn pri big" disabled={add.isPending || model.trim() === ''}>
            {add.isPending ? 'Trying it…' : 'Connect and try'}
          </button>
          {add.isPending && (
            <p className="q" role="status">
              <LoaderCircle className="i spin" strokeWidth={1.75} aria-hidden="true" /> A short message is sent to the
              model.
            </p>
          )}
          {add.error && (
            <Problem text={add.error.message}>It is kept; remove it in the settings, or try again.</Problem>
          )}
          {add.data && (
            <div className="note ok" role="status">
              <Check className="i" strokeWidth={1.75} aria-hidden="true" />
              <span className="grow">
                {add.data.model} answers in {(add.data.milliseconds / 1000).toFixed(1)} s
                {add.data.calls ? ' and calls tools.' : ', but it did not call the tool that it was asked to call.'}{' '}
                <Link href="/new">Start a session</Link>
              </span>
            </div>
          )}
          <p className="help">
            <button type="button" className="linkish" onClick={() => go('/')}>
              Back
            </button>
          </p>
        </form>
      </div>
    </Page>
  )
}

/** A name for the settings, made from that of the model. */
function nameOf(model: string): string {
  return model.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'model'
}
