import type { ChosenModel, Models } from './models.ts'

const DEMO_NOTE =
  'Using demo, since no model was found: it is not a language model and follows simple commands ("help" lists them). Start Ollama or LM Studio, or add a model with: haft models add'

/** Chooses the model that is named, else that of the settings, else the first that is found and can be used, else demo. */
export async function chooseModel(
  models: Pick<Models, 'selected' | 'list'>,
  named: string | undefined,
): Promise<ChosenModel> {
  const name = named ?? models.selected()
  if (name !== undefined) return { name }
  const usable = (await models.list()).filter(
    (one) => one.problem === undefined && !one.name.endsWith(':NAME') && one.name !== 'demo',
  )
  const found = usable.find(({ abilities }) => abilities.nativeCalls === true) ?? usable[0]
  if (found === undefined) return { name: 'demo', note: DEMO_NOTE }
  return {
    name: found.name,
    note: `Using ${found.name} (${found.from}), since no model was chosen. Choose with --model.`,
  }
}
