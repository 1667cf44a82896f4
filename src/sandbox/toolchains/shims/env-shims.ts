import { basename, join } from 'node:path'
import { type Choosing, type Entry, findVersion, isVersionName, readText } from './versions.ts'

/** pyenv, rbenv, nodenv and their like: `versions/NAME/bin` of each version that is chosen. */
export function resolveEnvShims(root: string, choosing: Choosing): Entry[] {
  return chosenVersions(root, choosing).flatMap((wanted) => findVersion(join(root, 'versions'), wanted))
}

function chosenVersions(root: string, { workspace, env }: Choosing): string[] {
  const tool = /^\.?(.+)env$/.exec(basename(root))?.[1] ?? ''
  const named = env[`${tool.toUpperCase()}ENV_VERSION`]?.replaceAll(':', '\n')
  const language = tool === 'py' ? 'python' : tool === 'rb' ? 'ruby' : tool
  const text = named ?? readText(join(workspace, `.${language}-version`)) ?? readText(join(root, 'version')) ?? ''
  return text.split(/\s+/).filter(isVersionName)
}
