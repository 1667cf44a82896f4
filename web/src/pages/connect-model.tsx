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
  const name = nameOf(model)
  const added = { name, settings: { provider, model, ...address }, ...secret }
  const reread = () => queries.invalidateQueries({ queryKey: ['models'] })
  const add = useMutation({
    mutationFn: async () => {
      const wasThere = (await api().listModels({})).models.some((one) => one.name === name)
      await api().addModel(added)
      try {
        const answer = await api().testModel({ name })
        await api().addModel({ ...added, isDefault: true })
        return { answer }
      } catch (thrown) {
        if (!wasThere) await api().removeModel({ name })
        return { wasThere, problem: withFieldName(thrown instanceof Error ? thrown.message : String(thrown)) }
      }
    },
    onSettled: reread,
  })
  const keep = useMutation({ mutationFn: () => api().addModel({ ...added, isDefault: true }), onSuccess: reread })
  return (
    <Page title="Connect a model">
      <div className="body">
        <form
          className="form-page"
          onSubmit={(event) => {
            event.preventDefault()
            keep.reset()
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
          {offered.error && <Problem text={withFieldName(offered.error.message)} />}
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
          {add.error && <Problem text={withFieldName(add.error.message)} />}
          {add.data?.problem !== undefined && !keep.data && (
            <Problem text={`The model did not answer. ${add.data.problem}`}>
              {add.data.wasThere ? (
                'It was connected before, and stays connected with what the fields above say now.'
              ) : (
                <>
                  It is not saved. Change the fields above and try again, or{' '}
                  <button type="button" className="linkish" disabled={keep.isPending} onClick={() => keep.mutate()}>
                    save it anyway
                  </button>
                  .
                </>
              )}
            </Problem>
          )}
          {keep.error && <Problem text={withFieldName(keep.error.message)} />}
          {keep.data && (
            <div className="note" role="status">
              <span className="grow">
                {model} is saved, but it has not answered yet.{' '}
                <Link href="/settings/models">Try it in the settings</Link> once its server runs.
              </span>
            </div>
          )}
          {add.data?.answer && (
            <div className="note ok" role="status">
              <Check className="i" strokeWidth={1.75} aria-hidden="true" />
              <span className="grow">
                {add.data.answer.model} answers in {(add.data.answer.milliseconds / 1000).toFixed(1)} s
                {add.data.answer.calls
                  ? ' and calls tools.'
                  : ', but it did not call the tool that it was asked to call.'}{' '}
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

/** Names the field of this form where a message names the setting in the file. */
function withFieldName(text: string): string {
  return text.replaceAll(/\b(models\.\S+\.)?base_url\b/g, 'Address')
}

/** A name for the settings, made from that of the model. */
function nameOf(model: string): string {
  return model.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'model'
}
