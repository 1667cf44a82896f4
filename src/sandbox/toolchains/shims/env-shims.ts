import { basename, join } from 'node:path'
import { type Entry, findVersion, isVersionName, readText, type VersionContext } from './versions.ts'

/** Resolves pyenv, rbenv, nodenv and similar: `versions/NAME/bin` of each selected version. */
export function resolveEnvShims(root: string, context: VersionContext): Entry[] {
  return chosenVersions(root, context).flatMap((wanted) => findVersion(join(root, 'versions'), wanted))
}

function chosenVersions(root: string, { workspace, env }: VersionContext): string[] {
  const tool = /^\.?(.+)env$/.exec(basename(root))?.[1] ?? ''
  const named = env[`${tool.toUpperCase()}ENV_VERSION`]?.replaceAll(':', '\n')
  const language = tool === 'py' ? 'python' : tool === 'rb' ? 'ruby' : tool
  const text = named ?? readText(join(workspace, `.${language}-version`)) ?? readText(join(root, 'version')) ?? ''
  return text.split(/\s+/).filter(isVersionName)
}
