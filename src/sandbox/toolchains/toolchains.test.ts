import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/example-host.ts'
import { findToolchains } from './toolchains.ts'

const OWNER = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

/** Creates a home folder with these files (a text that starts with `->` is a link) and a project in it. */
function makeHome(files: Readonly<Record<string, string>>): { home: string; workspace: string } {
  const home = temporaryFolder()
  const workspace = join(home, 'code/project')
  mkdirSync(workspace, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, name)
    mkdirSync(dirname(path), { recursive: true })
    if (text.startsWith('->')) symlinkSync(text.slice(2), path)
    else {
      writeFileSync(path, text)
      chmodSync(path, 0o755)
    }
  }
  return { home, workspace }
}

interface Case {
  readonly files: Readonly<Record<string, string>>
  readonly path: string
  readonly env?: Readonly<Record<string, string>>
  /** Folders shown, relative to the home. */
  readonly shown: readonly string[]
}

const PYENV = {
  '.pyenv/shims/python3': '',
  '.pyenv/version': '3.11\n',
  '.pyenv/versions/3.11.4/bin/python3': '',
  '.pyenv/versions/3.12.1/bin/python3': '',
}
const ASDF = {
  '.asdf/shims/node': '',
  '.asdf/installs/nodejs/20.1.0/bin/node': '',
  '.asdf/installs/nodejs/22.3.0/bin/node': '',
  '.asdf/installs/python/3.12.1/bin/python3': '',
  '.tool-versions': 'nodejs 20.1.0\n# python 3.12.1\n',
}
const MISE = {
  '.local/share/mise/shims/node': '',
  '.local/share/mise/installs/node/22.3.0/bin/node': '',
  '.local/share/mise/installs/node/22.11.0/bin/node': '',
  '.local/share/mise/installs/node/22': '->22.11.0',
  '.local/share/mise/installs/go/1.22.1/bin/go': '',
  '.local/share/mise/installs/python/3.12.1/bin/python3': '',
}
const RUSTUP = {
  '.cargo/bin/rustup': '',
  '.cargo/bin/cargo': '->rustup',
  '.rustup/settings.toml': 'version = "12"\ndefault_toolchain = "stable-x86_64-unknown-linux-gnu"\n',
  '.rustup/toolchains/stable-x86_64-unknown-linux-gnu/bin/cargo': '',
  '.rustup/toolchains/1.80.0-x86_64-unknown-linux-gnu/bin/cargo': '',
}
const VOLTA = {
  '.volta/bin/node': '',
  '.volta/tools/image/node/20.1.0/bin/node': '',
  '.volta/tools/image/node/22.3.0/bin/node': '',
  '.volta/tools/image/yarn/1.22.0/bin/yarn': '',
  '.volta/tools/user/platform.json': '{"node":{"runtime":"22.3.0","npm":null},"yarn":"1.22.0"}',
}
const MISE_PATH = '.local/share/mise/shims'

const CASES: Readonly<Record<string, Case>> = {
  'pyenv: the user’s version, by its beginning': {
    files: PYENV,
    path: '.pyenv/shims',
    shown: ['.pyenv/versions/3.11.4'],
  },
  'pyenv: the project’s version before it': {
    files: { ...PYENV, 'code/project/.python-version': '3.12.1\n' },
    path: '.pyenv/shims',
    shown: ['.pyenv/versions/3.12.1'],
  },
  'pyenv: a version that is a path is none': {
    files: { ...PYENV, 'code/project/.python-version': '../../.ssh\n..\n' },
    path: '.pyenv/shims',
    shown: [],
  },
  'asdf: what is chosen above the project, and nothing that is not': {
    files: ASDF,
    path: '.asdf/shims',
    shown: ['.asdf/installs/nodejs/20.1.0'],
  },
  'asdf: the environment before files': {
    files: ASDF,
    path: '.asdf/shims',
    env: { ASDF_NODEJS_VERSION: '22.3.0' },
    shown: ['.asdf/installs/nodejs/22.3.0'],
  },
  'mise: a link to a version is followed, every form of a choice is read': {
    files: {
      ...MISE,
      'code/project/mise.toml':
        '[env]\nnode = "x"\n\n[tools]\nnode = "22" # comment\npython = ["3.12"]\ngo = { version = "latest", os = ["linux"] }\n[tasks]\n',
    },
    path: MISE_PATH,
    shown: ['go/1.22.1', 'node/22.11.0', 'python/3.12.1'].map((name) => `.local/share/mise/installs/${name}`),
  },
  'mise: the names of asdf, and the user’s own settings for the rest': {
    files: { ...MISE, '.tool-versions': 'nodejs 22.3.0\n', '.config/mise/config.toml': '[tools]\ngo = "1.22"\n' },
    path: MISE_PATH,
    shown: ['go/1.22.1', 'node/22.3.0'].map((name) => `.local/share/mise/installs/${name}`),
  },
  'rustup: the default toolchain, and what cargo installed': {
    files: RUSTUP,
    path: '.cargo/bin',
    shown: ['.rustup/toolchains/stable-x86_64-unknown-linux-gnu', '.cargo/bin'],
  },
  'rustup: the project’s channel': {
    files: { ...RUSTUP, 'code/project/rust-toolchain.toml': '[toolchain]\nchannel = "1.80.0"\n' },
    path: '.cargo/bin',
    shown: ['.rustup/toolchains/1.80.0-x86_64-unknown-linux-gnu', '.cargo/bin'],
  },
  'volta: the user’s default': {
    files: VOLTA,
    path: '.volta/bin',
    shown: ['.volta/tools/image/yarn/1.22.0', '.volta/tools/image/node/22.3.0'],
  },
  'volta: what the project pins': {
    files: { ...VOLTA, 'code/project/package.json': '{"volta":{"node":"20.1.0"}}' },
    path: '.volta/bin',
    shown: ['.volta/tools/image/yarn/1.22.0', '.volta/tools/image/node/20.1.0'],
  },
  'nvm: its folder on PATH is a real one, shown with what lies beside it': {
    files: { '.nvm/versions/node/v22.3.0/bin/node': '', '.nvm/versions/node/v22.3.0/lib/x': '' },
    path: '.nvm/versions/node/v22.3.0/bin',
    shown: ['.nvm/versions/node/v22.3.0'],
  },
}

test.for(Object.entries(CASES))('%s', ([, { files, path, env, shown }]) => {
  const { home, workspace } = makeHome(files)
  const context = { workspace, env: { HOME: home, PATH: join(home, path), ...env }, owner: OWNER }
  const { folders, path: inside } = findToolchains(context)
  expect(folders).toEqual(shown.map((folder) => join(home, folder)))
  expect(inside).not.toContain(join(home, path.endsWith('shims') ? path : 'none'))
  expect(inside.length).toBe(shown.length + 3)
})
