import { MODEL_PROVIDERS, type ModelSettings } from '../model-settings.ts'
import type { ModelAbilities } from '../ports/model.ts'
import type { Usage } from '../session/event.ts'
import {
  array,
  boolean,
  integer,
  number,
  objectSchema,
  oneOf,
  optional,
  record,
  schemaOf,
  string,
} from '../tool/schema.ts'
import { done } from './answers.ts'
import type { Route } from './route.ts'

const name = string('Name of the model', { minLength: 1, maxLength: 300 })
const key = string('Its key: kept in a private file, never in the settings or the log', {
  minLength: 1,
  maxLength: 10_000,
})

const abilities = schemaOf<ModelAbilities>({
  nativeCalls: optional(boolean('False when tools are described in the prompt')),
  argumentForm: optional(oneOf(['text', 'object'], 'How arguments of native calls arrive')),
  parallelCalls: optional(boolean('True once a reply has held more than one call')),
  images: optional(boolean('True if it takes images')),
  context: optional(integer('Size of its context window, in tokens')),
  grammar: optional(boolean('True where its server makes a grammar of the parameters of tools')),
  refusedTools: optional(array(string('Name and digest'), 'Tools whose definitions its server refused')),
  systemRole: optional(boolean('False where its template has no place for a system message')),
  alternates: optional(boolean('True where messages of the user and of the model must take turns')),
  singleCalls: optional(boolean('True where its template shows one call of a message only')),
  shortCallIds: optional(boolean('True where ids of calls must be nine letters and digits')),
})

const listed = objectSchema({
  name: string('As the settings name it; PROVIDER:NAME where a key opens any model of a provider'),
  from: string('A settings file, a server that was found, or the variable that holds a key'),
  isSelected: boolean('True for the one that is used where nobody names another'),
  isManaged: boolean('True if it was added by a command or a page and can be removed by one'),
  abilities,
  problem: optional(string('Why it cannot be used now')),
})

const settings = schemaOf<ModelSettings>({
  provider: oneOf(MODEL_PROVIDERS, 'Protocol'),
  model: string('Name that the server knows it by', { minLength: 1, maxLength: 300 }),
  baseUrl: optional(string('Address of the server', { maxLength: 2_000 })),
  apiKeyEnv: optional(string('Environment variable that holds the key', { maxLength: 200 })),
  context: optional(integer('Tokens of the context window', { minimum: 1, maximum: 1e9 })),
  maxOutput: optional(integer('The most tokens of a reply', { minimum: 1, maximum: 1e9 })),
  headers: optional(record(string('A value'), 'Headers sent with each request')),
  temperature: optional(number('Temperature', { minimum: 0, maximum: 10 })),
  price: optional(
    objectSchema({
      input: number('A million tokens read', { minimum: 0 }),
      output: number('A million tokens written', { minimum: 0 }),
    }),
  ),
  strict: optional(boolean('Asks the model to follow the schemas of tools exactly')),
})

const usage = schemaOf<Usage>({
  input: optional(integer('Tokens read')),
  output: optional(integer('Tokens written')),
  estimated: optional({ const: true }),
  cost: optional(number('What it cost')),
})

export const modelRoutes = {
  listModels: {
    method: 'GET',
    path: '/api/models',
    about: 'Lists every model that the settings name or that is found, and the one that a new session would use.',
    answers: {
      200: objectSchema({
        models: array(listed, 'The models'),
        chosen: string('The model of a new session'),
        note: optional(string('Why it was chosen')),
      }),
    },
  },
  addModel: {
    method: 'POST',
    path: '/api/models',
    about: 'Adds a model, with its key. settings.toml is not changed.',
    body: {
      name,
      settings,
      key: optional(key),
      isDefault: optional(boolean('Makes it the one that is used where nobody names another')),
    },
    answers: { 201: done },
  },
  offeredModels: {
    method: 'POST',
    path: '/api/models/offered',
    about: 'Lists the models that a server offers.',
    body: {
      provider: oneOf(MODEL_PROVIDERS, 'Protocol'),
      baseUrl: optional(string('Address of the server', { maxLength: 2_000 })),
      key: optional(key),
    },
    answers: { 200: objectSchema({ models: array(string('A name'), 'Names of the models') }) },
  },
  testModel: {
    method: 'POST',
    path: '/api/models/test',
    about: 'Sends a short chat to a model and says what came of it.',
    body: { name: optional(name) },
    answers: {
      200: objectSchema({
        model: string('Name of the model'),
        calls: boolean('True where it called the tool that it was asked to call'),
        text: string('What it wrote'),
        usage,
        repairs: array(string('A repair'), 'What was irregular about the reply'),
        milliseconds: number('How long it took'),
      }),
    },
  },
  removeModel: {
    method: 'DELETE',
    path: '/api/models/{name}',
    about: 'Removes a model that was added by a command or a page, and its key.',
    params: { name },
    answers: { 200: done },
  },
} as const satisfies Record<string, Route>
