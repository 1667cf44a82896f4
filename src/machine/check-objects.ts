import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../core/call/result.ts'

/** Throws ToolError if the objects of a repository lead elsewhere, by a link or by borrowing from another repository: a push could then send what is outside the workspace. */
export function checkObjects(objects: string): void {
  for (const entry of readdirSync(objects, { withFileTypes: true })) {
    const isFolder = entry.isDirectory()
    const inside = isFolder ? readdirSync(join(objects, entry.name), { withFileTypes: true }) : []
    const link = [entry, ...inside].find((one) => one.isSymbolicLink())
    if (link) throw refusal(`${link.name} in its objects is a link`)
    if (entry.name === 'info' && inside.some(({ name }) => name === 'alternates' || name === 'http-alternates'))
      throw refusal('it borrows objects from another repository (objects/info/alternates)')
  }
}

function refusal(why: string): ToolError {
  return new ToolError(
    'BLOCKED',
    `The repository cannot be pushed by git_push: ${why}, and that could send files from outside the workspace. Push it by hand.`,
  )
}
