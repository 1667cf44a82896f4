import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeGguf } from './write-gguf.ts'

/** What of node-llama-cpp is used; the package is installed only for this test. */
interface LlamaPackage {
  getLlama(options: { gpu: false; build: 'never'; logLevel: 'error' }): Promise<{
    loadModel(options: { modelPath: string }): Promise<{
      createContext(options: { contextSize: number; threads: number }): Promise<{ getSequence(): unknown }>
    }>
    createGrammar(options: { grammar: string }): Promise<unknown>
    dispose(): Promise<void>
  }>
  LlamaCompletion: new (options: {
    contextSequence: unknown
  }) => { generateCompletion(prompt: string, options: { grammar: unknown; maxTokens: number }): Promise<string> }
}

/** Completes a text by a grammar in GBNF. */
export type Complete = (prompt: string, grammar: string) => Promise<string>

/** Loads a generated model into the engine that is installed in a folder; it is gone when the test ends. */
export async function openEngine(folder: string): Promise<Complete> {
  const entry = join(folder, 'node_modules/node-llama-cpp/dist/index.js')
  const { getLlama, LlamaCompletion }: LlamaPackage = await import(pathToFileURL(entry).href)
  const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' })
  onTestFinished(() => llama.dispose())
  const modelPath = join(temporaryFolder(), 'tiny.gguf')
  writeGguf(modelPath)
  const model = await llama.loadModel({ modelPath })
  const context = await model.createContext({ contextSize: 4096, threads: 1 })
  const completion = new LlamaCompletion({ contextSequence: context.getSequence() })
  return async (prompt, grammar) =>
    completion.generateCompletion(prompt, { grammar: await llama.createGrammar({ grammar }), maxTokens: 200 })
}
