import { isRecord, type JsonSchema } from '../core/text/json.ts'

/** Warnings about the parameters of a tool that have no description. The tool is offered all the same. */
export function listUndescribed(name: string, { properties }: JsonSchema): string[] {
  return Object.entries(isRecord(properties) ? properties : {})
    .filter(([, schema]) => !(isRecord(schema) && typeof schema.description === 'string' && schema.description !== ''))
    .map(
      ([property]) =>
        `the tool "${name}" is offered, but its parameter "${property}" has no description, so models have to guess what it is for`,
    )
}
