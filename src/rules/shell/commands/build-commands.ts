/** Compilers, test runners, linters and formatters: they run the project's own code. */
export const BUILD_COMMANDS: Readonly<Record<string, string>> = {
  'make gmake bmake':
    '%project -n+dry --dry-run+dry --just-print+dry --recon+dry -q+dry -f=script --file=script --makefile=script -C=dir --directory=dir -I=code-folders --include-dir=code-folders -j=?text -o=text -W=text -l=?text --eval=make-code -E=make-code make-target*',
  'just task mage invoke rake gulp grunt lerna nx turbo moon doit':
    '%project -f=script --justfile=script -d=dir --dir=dir --shell=program --shell-arg=text -e=code --execute=code -r=script argument*',
  cmake:
    '-S=read -B=write -G=text -D=define -P=script -C=script --build=project-dir --install=tree --prefix=tree --target=text -E=cmake-tool argument*',
  'ninja meson ctest cpack bazel bazelisk buck scons waf premake5':
    '%project -C=dir --test-dir=dir -f=script -t=text -j=text --config=text --build-config=text --run_under=shell --bazelrc=script --native-file=script --cross-file=script argument*',
  'autoconf automake aclocal autoreconf autoheader libtoolize pkg-config pkgconf': 'argument*',
  'gcc g++ cc c++ clang clang++ tcc icc ld gold lld as':
    '%response -o=write -I=text -L=text -l=text -D=text -U=text -x=text -include=read -isystem=text -wrapper=program -fplugin=script --plugin=script -plugin=script -B=program-path -specs=script -MF=write -MT=text source*',
  'rustc rustdoc rustfmt':
    '%response -o=write --out-dir=write -L=text -C=codegen --codegen=codegen -l=text --crate-name=text --crate-type=text --edition=text --emit=text --extern=text --config=text --config-path=read source*',
  'javac kotlinc scalac swiftc ghc ocamlc ocamlopt':
    '%response -pp=shell -ppx=shell -d=write -o=write -cp=code-folders -classpath=code-folders -processorpath=code-folders argument*',
  dotnet: '%project -o=write --output=write --project=project -e=code dotnet*',
  'swift zig nim v xcodebuild': '%project -o=write -e=code --eval=code project*',
  crystal: '%project framework',
  'uvicorn gunicorn hypercorn daphne waitress-serve':
    '%project --app-dir=code-folders --chdir=dir -c=script --config=script --log-config=script --env-file=env-file --host=listen --bind=listen -b=listen --port=text -p=text -w=text --workers=text --access-logfile=write --error-logfile=write --uds=write project*',
  'mvn mvnw gradle gradlew ant':
    '%project -f=script -p=dir -b=script -I=script --init-script=script --file=script -s=read build-target*',
  'tsc tsgo tsup esbuild swc babel rollup vite webpack parcel rspack rolldown unbuild':
    '%project -p=read --project=read --outDir=write --outdir=write --outfile=write --outFile=write -o=write -d=write --out-dir=write --config=script -c=script --plugin=project --plugins=project --presets=project argument*',
  'vitest jest mocha ava tap tape karma cypress playwright nyc c8 bats':
    '%project -c=script --config=script -t=text --testNamePattern=text -r=script --require=script --root=dir --dir=dir --rootDir=dir --reporter=text --outputFile=write project*',
  'eslint prettier biome oxlint stylelint tslint standard xo dprint markdownlint commitlint knip depcheck ts-prune svgo htmlhint csslint shellcheck shfmt yamllint hadolint actionlint vale typos codespell':
    '%project -w+write --write+write --fix+write -c=script --config=script --rulesdir=script --resolve-plugins-relative-to=script --plugin=project -o=write --output-file=write --ext=text -f=text --format=text argument*',
  'pytest py.test unittest nose2':
    '%project %response -k=text -m=text -c=script --rootdir=dir --confcutdir=dir -p=project --junitxml=write --junit-xml=write --cov=?text --cov-report=text -n=text -o=setting --tb=text --basetemp=write --pastebin=text!publish project*',
  'ruff black isort flake8 pylint mypy pyright pyflakes pycodestyle autopep8 yapf bandit coverage pydocstyle vulture pre-commit pyupgrade ty djlint':
    '%response --config=script --config-file=script --init-hook=code -c=script --rcfile=script -m=text -o=write --output-file=write argument*',
  'taplo yamlfmt buildifier ktlint detekt swiftlint swiftformat scalafmt google-java-format mdformat nbqa interrogate mutmut pyreverse pipdeptree towncrier bumpversion bump2version cz gitlint editorconfig-checker ec jscpd type-coverage ts-unused-exports ncc microbundle tsdx preconstruct ajv spectral redocly swagger-cli tree-sitter wat2wasm wasm2wat wasm-objdump wasm-opt protolint proselint write-good rebar3 gleam':
    '%project -c=script --config=script -R=script --ruleset=script --plugins=script --reporter=text -o=write --output=write argument*',
  'gofmt goimports golangci-lint staticcheck gofumpt golint dlv': '-d -w+write -l -c=script --config=script argument*',
  gotestsum:
    '%project --post-run-command=shell!unknown-command --raw-command!unknown-command --junitfile=write --jsonfile=write -f=text --format=text argument*',
  'clang-format clang-tidy cppcheck valgrind-check astyle indent uncrustify cpplint':
    '-i+write -p=read --style=text -style=text read*',
  'rspec minitest rubocop standardrb sorbet steep': '%project -c=script -r=script project*',
  'phpunit phpstan psalm phpcs phpcbf php-cs-fixer pest': '%project -c=script --bootstrap=script project*',
  'next nuxt astro gatsby remix ng vue-cli-service react-scripts storybook expo svelte-kit svelte-check vue-tsc docusaurus vitepress typedoc jsdoc sphinx-build mkdocs mdbook hugo jekyll':
    '-c=script -f=script --config-file=script argument*',
  changeset: '%sub %loads',
  'changeset/publish changeset/tag': '@publish text*',
  'changeset/* changeset/': '%project text*',
  'madge tailwindcss postcss sass terser uglifyjs svgr lint-staged api-extractor graphql-codegen graphql-code-generator openapi-typescript json2ts npm-run-all run-s run-p cpx copyfiles wait-on size-limit source-map-explorer depcruise syncpack sort-package-json publint attw remark textlint cspell alex tsd ts-node-dev tsx-watch typechain json-schema-to-typescript orval kysely-codegen lighthouse pa11y backstop licensee license-checker':
    '%project -i=read -c=script --config=script -o=write --output=write argument*',
  'rails flask django-admin sbt lein': '%project framework',
  'mix dart flutter': '%sub',
  'mix/deps.get mix/deps.update mix/deps.compile mix/local.hex mix/local.rebar mix/archive.install mix/escript.install mix/phx.new mix/hex.info mix/hex.audit mix/hex.outdated':
    '@install text*',
  'mix/hex.publish mix/hex.user mix/hex.organization': '@publish text*',
  'mix/cmd mix/do': '@unknown-command shellrest',
  'mix/ecto.drop mix/ecto.reset': '%project @lose-work text*',
  'mix/* dart/test dart/analyze dart/format dart/run dart/compile flutter/test flutter/analyze flutter/build flutter/doctor':
    '%project -e=code -r=script --require=script project*',
  'dart/* flutter/*': '@install text*',
  jupyter: '%sub',
  'jupyter/nbconvert jupyter/--version jupyter/kernelspec jupyter/trust': '%project --output=write --to=text argument*',
  'jupyter/*': '@publish text*',
  act: '-l+dry --list+dry -n+dry --dryrun+dry --version+dry @container text*',
  'gprof perf': '%sub',
  'perf/stat perf/record perf/trace': '-o=write -e=text -p=debug argv',
  'perf/*': '-i=read argument*',
  'protoc flatc thrift buf sqlc mockgen stringer wire swag templ oapi-codegen gqlgen ent':
    '--plugin=program -o=write -output=write -destination=write argument*',
  'prisma drizzle-kit knex typeorm sequelize alembic mikro-orm celery dbt goose': '%project framework',
  'ctags etags cscope': '-o=write -f=write -L=read --options=read argument*',
  'pdflatex xelatex lualatex latex pdftex tex latexmk bibtex biber':
    '%long -o=write -output=write -output-directory=write -outdir=write -auxdir=write -jobname=text -interaction=text -shell-escape!unknown-command -enable-write18!unknown-command -e=code -r=script -pdflatex=program -latex=program -xelatex=program -lualatex=program tex*',
  pandoc:
    '%data -o=write --output=write --filter=program -F=program --lua-filter=script -L=script --pdf-engine=program -d=script --defaults=script --data-dir=code-folders --template=read -c=text --css=text -H=read -B=read -A=read --include-in-header=read --bibliography=read --csl=read --metadata-file=read --reference-doc=read --extract-media=tree -f=text -t=text -r=text -w=text argument*',
  'graphviz dot plantuml mmdc convert magick mogrify identify ffmpeg ffprobe':
    '%data %long -o=write -output=write -config=script -script=script -configFile=script -filter=text -vf=text -af=text -filter_complex=text -profile=read -path=write argument*',
}
