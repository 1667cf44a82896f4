/** Package managers: running a project's own scripts is common, fetching code from the network needs approval. */
export const PACKAGE_COMMANDS: Readonly<Record<string, string>> = {
  npm: '%sub --node-options=node-options --prefix=dir -C=dir --workspace=text -w=text --userconfig=script --globalconfig=script --script-shell=program --loglevel=text',
  'npm/run npm/run-script npm/test npm/t npm/tst npm/start npm/stop npm/restart npm/ls npm/list npm/ll npm/version npm/bin npm/root npm/prefix npm/help npm/explain npm/why npm/pack npm/query npm/doctor npm/fund npm/completion npm/rebuild npm/dedupe npm/prune npm/help-search npm/-v npm/--version npm/-h npm/--help':
    '%project --node-options=node-options --script-shell=program --prefix=dir -w=text text*',
  'npm/pkg': 'npm-field*',
  'npm/explore': 'text argv',
  'npm/exec npm/x': '-c=shell --call=shell -p=text --package=text!install -y!install --yes!install npx-argv',
  'npm/config npm/c npm/set npm/get': '%sub',
  'npm/config/get npm/config/list npm/config/ls npm/c/get npm/get/*': 'setting-name*',
  'npm/config/* npm/c/* npm/set/*': '@config text*',
  'npm/publish npm/unpublish npm/deprecate npm/dist-tag npm/access npm/owner npm/team npm/adduser npm/login npm/logout npm/token npm/profile npm/hook npm/star':
    '@publish text*',
  'npm/*': '@install text*',
  'pnpm yarn': '%sub --cwd=dir -C=dir --dir=dir --filter=text -F=text',
  'pnpm/add pnpm/install pnpm/i pnpm/update pnpm/up pnpm/upgrade pnpm/remove pnpm/rm pnpm/uninstall pnpm/dlx pnpm/create pnpm/link pnpm/unlink pnpm/import pnpm/fetch pnpm/setup pnpm/env pnpm/self-update pnpm/store pnpm/audit pnpm/outdated pnpm/patch pnpm/deploy pnpm/approve-builds pnpm/init yarn/add yarn/install yarn/up yarn/upgrade yarn/upgrade-interactive yarn/remove yarn/dlx yarn/create yarn/link yarn/unlink yarn/import yarn/global yarn/set yarn/plugin yarn/audit yarn/outdated yarn/init yarn/cache yarn/self-update yarn/policies':
    '@install text*',
  'pnpm/exec yarn/exec yarn/node': '-c=shell npx-argv',
  'pnpm/publish yarn/publish yarn/npm yarn/login yarn/logout pnpm/login pnpm/logout yarn/owner yarn/tag yarn/team':
    '@publish text*',
  'pnpm/config yarn/config': '%sub',
  'pnpm/config/get pnpm/config/list yarn/config/get yarn/config/list': 'text*',
  'pnpm/config/* yarn/config/*': '@config text*',
  'pnpm/-v pnpm/--version yarn/-v yarn/--version': 'text*',
  'pnpm/* yarn/*': '%project text*',
  'pnpm/ yarn/': '@install',
  npx: '-c=shell --call=shell -p=text --package=text!install -y!install --yes!install --no-install --no npx-argv',
  pnpx: '@install text*',
  corepack: '@install text*',
  'nvm fnm volta asdf mise rtx pyenv rbenv nodenv sdk rustup': '%sub',
  'nvm/ls nvm/list nvm/current nvm/version nvm/which nvm/use fnm/list fnm/current fnm/use asdf/list asdf/current mise/ls mise/current pyenv/versions pyenv/version rbenv/versions rustup/show rustup/which rustup/doc volta/list':
    'text*',
  'nvm/* fnm/* volta/* asdf/* mise/* rtx/* pyenv/* rbenv/* nodenv/* sdk/* rustup/*': '@install text*',
  pip: '%sub --proxy=url --log=write --python=program --cache-dir=write',
  'pip/list pip/show pip/freeze pip/check pip/help pip/inspect pip/debug pip/hash pip/--version pip/-V pip/completion':
    'text*',
  'pip/config': '@config text*',
  'pip/*': '@install -r=read --requirement=read -t=write --target=write text*',
  'poetry pipenv pdm hatch rye': '%sub -C=dir --directory=dir',
  'poetry/run pipenv/run pdm/run hatch/run rye/run': 'argv',
  'poetry/show poetry/check poetry/version poetry/env poetry/build pipenv/graph pipenv/check pdm/list pdm/info pdm/build hatch/version hatch/build hatch/test hatch/fmt rye/show rye/fmt rye/lint rye/test':
    'text*',
  'poetry/publish pdm/publish hatch/publish rye/publish': '@publish text*',
  'poetry/* pipenv/* pdm/* hatch/* rye/*': '@install text*',
  uv: '%sub --directory=dir --project=dir',
  'uv/run': '--with=text!install --python=text -p=text --env-file=read --extra=text --group=text argv',
  'uv/pip': '%sub',
  'uv/pip/list uv/pip/show uv/pip/freeze uv/pip/check uv/pip/tree': 'text*',
  'uv/pip/*': '@install text*',
  'uv/build uv/tree uv/version uv/venv uv/help uv/export uv/format': 'text*',
  'uv/publish': '@publish text*',
  'uv/*': '@install text*',
  'uvx pipx conda mamba micromamba easy_install twine': '@install text*',
  tox: '-e=text -c=read text*',
  nox: '-s=text -f=script text*',
  'gem bundle bundler': '%sub',
  'bundle/exec bundler/exec': 'argv',
  'gem/list gem/env gem/which gem/contents gem/specification bundle/list bundle/show bundle/check bundle/info bundle/config':
    'text*',
  'gem/* bundle/* bundler/*': '@install text*',
  composer: '%sub -d=dir --working-dir=dir',
  'composer/run composer/run-script composer/test composer/validate composer/show composer/dump-autoload composer/dumpautoload composer/check':
    'text*',
  'composer/exec': '@install shellrest',
  'composer/*': '@install text*',
  cargo: '%sub -C=dir --config=cargo-config --manifest-path=project',
  'cargo/build cargo/b cargo/check cargo/c cargo/test cargo/t cargo/run cargo/r cargo/clippy cargo/fmt cargo/doc cargo/bench cargo/clean cargo/tree cargo/metadata cargo/locate-project cargo/pkgid cargo/verify-project cargo/version cargo/help cargo/fix cargo/expand cargo/nextest cargo/rustc cargo/rustdoc cargo/generate-lockfile cargo/init cargo/new cargo/fetch cargo/vendor cargo/--version cargo/-V cargo/-vV cargo/read-manifest':
    '%project --target-dir=write --manifest-path=project --config=cargo-config text*',
  'cargo/publish cargo/yank cargo/owner cargo/login cargo/logout': '@publish text*',
  'cargo/*': '@install text*',
  go: '%sub -C=dir',
  'go/build go/test go/vet go/install-local go/list go/doc go/tool go/clean go/generate go/fix':
    '%project %long -exec=shell -toolexec=shell -vettool=program -o=write -modfile=read -overlay=read -coverprofile=write -cpuprofile=write -memprofile=write -outputdir=write -run=text -bench=text -tags=text -ldflags=text -gcflags=text -timeout=text -count=text -C=dir project*',
  'go/fmt go/version go/help go/work go/bug': 'text*',
  'go/run': '%long -exec=shell -toolexec=shell -tags=text -ldflags=text go-run text*',
  'go/env': '%long -w!config -u!config text*',
  'go/mod': '%sub',
  'go/mod/tidy go/mod/why go/mod/graph go/mod/verify go/mod/init go/mod/edit go/mod/vendor': 'text*',
  'go/mod/*': '@install text*',
  'go/*': '@install text*',
  'apt apt-get aptitude dnf yum zypper pacman apk brew port snap flatpak dpkg rpm nix nix-env emerge pkg choco winget scoop':
    '%sub',
  'apt/list apt/show apt/search apt-cache/* dpkg/-l dpkg/-L dpkg/-s dpkg/--list brew/list brew/info rpm/-q rpm/-qa apk/info pacman/-Q pacman/-Qi snap/list flatpak/list':
    'text*',
  'apt/* apt-get/* aptitude/* dnf/* yum/* zypper/* pacman/* apk/* brew/* port/* snap/* flatpak/* dpkg/* rpm/* nix/* nix-env/* emerge/* pkg/* choco/* winget/* scoop/*':
    '@install text*',
  'apt-cache': '%sub',
  'npm-check-updates ncu': '@install text*',
}
