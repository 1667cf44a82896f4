import { expect, test } from 'vitest'
import { isTrustedPath } from './trusted-files.ts'

test.for([
  '.ENVRC',
  'a/b/.Vscode/tasks.json',
  '.github',
  '.cargo',
  'x/.yarn/plugins/p.cjs',
  'Jenkinsfile',
  '.github/workflows',
])('%s is trusted by other programs', (path) => expect(isTrustedPath(path)).toBe(true))

test.for([
  'Makefile',
  '.github/CODEOWNERS',
  'env.rc',
  '.envrc.md',
  'x.vscode',
  '.cargo/registry',
  'a.npmrc',
  '.editorconfig',
])('%s is an ordinary file', (path) => expect(isTrustedPath(path)).toBe(false))
