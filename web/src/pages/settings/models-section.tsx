import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Cpu, Plus, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import type { AnswerOf } from '../../../../src/core/api/routes.ts'
import { api } from '../../api/api.ts'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'
import { LoadState } from '../../lists/load-state.tsx'

type ListedModel = AnswerOf<'listModels'>['models'][number]

/** The models: where each comes from, what is known of it, a short chat to test it, and removal of those added here. */
export function ModelsSection() {
  const query = useQuery({ queryKey: ['models'], queryFn: () => api().listModels({}), retry: 1 })
  const models = query.data?.models ?? []
  return (
    <section aria-labelledby="models-h">
      <div className="flex">
        <h2 id="models-h" className="title">
          Models
        </h2>
        <span className="grow" />
        <Link className="btn" href="/settings/models/new">
          <Plus className="i s" strokeWidth={1.75} aria-hidden="true" />
          Connect a model
        </Link>
      </div>
      {query.data && (
        <p className="q">
          New sessions use <b>{query.data.chosen}</b>. {query.data.note && <Shown text={query.data.note} />}
        </p>
      )}
      <LoadState
        query={query}
        what="models"
        isEmpty={models.length === 0}
        empty="No model found. You can start without one: the demo model makes real calls."
      />
      <ul className="cards">
        {models.map((model) => (
          <ModelRow key={model.name} model={model} />
        ))}
      </ul>
    </section>
  )
}

function ModelRow({ model }: { readonly model: ListedModel }) {
  const queries = useQueryClient()
  const { name, from, isSelected, isManaged, abilities, problem } = model
  const test = useMutation({ mutationFn: () => api().testModel({ name }) })
  const remove = useMutation({
    mutationFn: () => api().removeModel({ name }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['models'] }),
  })
  const known = [
    ...(abilities.context === undefined ? [] : [`${abilities.context.toLocaleString('en')} tokens`]),
    ...(abilities.images ? ['takes images'] : []),
    ...(abilities.nativeCalls === false ? ['tools are described in the prompt'] : []),
  ]
  return (
    <li className="card-row" data-model={name}>
      <div className="flex wrap">
        <Cpu className="i" strokeWidth={1.75} aria-hidden="true" />
        <code className="b">{name}</code>
        {isSelected && <span className="tag ok">in use</span>}
        <span className="grow" />
        <button type="button" className="btn" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Asking it…' : 'Test'}
          <span className="sr"> {name}</span>
        </button>
        {isManaged && (
          <button type="button" className="btn" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Remove<span className="sr"> {name}</span>
          </button>
        )}
      </div>
      <p className="t1 qq">
        {from}
        {known.length > 0 && ` · ${known.join(' · ')}`}
      </p>
      {problem && (
        <p className="t1 bad">
          <TriangleAlert className="i s" strokeWidth={1.75} aria-hidden="true" /> <Shown text={problem} />
        </p>
      )}
      {test.error && <Problem text={test.error.message} />}
      {remove.error && <Problem text={remove.error.message} />}
      {test.data && (
        <p className="note ok" role="status">
          <Check className="i" strokeWidth={1.75} aria-hidden="true" />
          <span className="grow">
            Answers in {(test.data.milliseconds / 1_000).toFixed(1)} s
            {test.data.calls ? ' and calls tools.' : ', but it did not call the tool that it was asked to call.'}
          </span>
        </p>
      )}
    </li>
  )
}
