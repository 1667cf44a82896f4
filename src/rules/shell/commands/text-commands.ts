/** Commands that read text and print. */
export const TEXT_COMMANDS: Readonly<Record<string, string>> = {
  'cat rev zdump tsort colrm': 'read*',
  tac: '-s=text --separator=text read*',
  nl: '-b=text -d=text -f=text -h=text -i=text -l=text -n=text -s=text -v=text -w=text read*',
  'fold fmt': '-w=text -g=text -p=text --width=text read*',
  pr: '-l=text -w=text -W=text -h=text -o=text -N=text -D=text read*',
  'expand unexpand': '-t=text --tabs=text read*',
  'bat batcat':
    '-r=text --line-range=text -H=text --pager=shell -l=text --language=text --style=text --theme=text read*',
  'head tail': '-n=text -c=size -s=text --lines=text --bytes=size --pid=text --sleep-interval=text read*',
  'more most pg': 'pager*',
  less: '-o=write -O=write -k=script --lesskey-file=script --lesskey-src=script -p=text -P=text -x=text -j=text -t=text -T=text --log-file=write pager*',
  wc: '--files0-from=read read*',
  'sort gsort':
    '-o=write --output=write -T=write -k=text -t=text -S=text --key=text --field-separator=text --buffer-size=text --temporary-directory=write --parallel=text --batch-size=text --compress-program=program --files0-from=listed --random-source=read --sort=text read*',
  shuf: '-n=text -i=text -o=write --head-count=text --output=write --random-source=read -e read*',
  uniq: '-f=text -s=text -w=text --skip-fields=text --skip-chars=text --check-chars=text read write',
  cut: '-d=text -f=text -c=text -b=text --delimiter=text --fields=text --characters=text --bytes=text --output-delimiter=text read*',
  paste: '-d=text --delimiters=text read*',
  comm: '--output-delimiter=text read*',
  join: '-t=text -1=text -2=text -j=text -a=text -v=text -e=text -o=text read*',
  cmp: '-i=text -n=text --bytes=text --ignore-initial=text read*',
  look: '-t=text text read*',
  column: '-s=text -c=text -o=text -N=text -R=text -H=text -T=text -E=text -W=text read*',
  bc: 'read*',
  'tr expr seq factor numfmt':
    '-s=text -f=text -w=text --separator=text --format=text --field=text --to=text --from=text text*',
  'echo printf yes': 'text*',
  sdiff: '-o=write --output=write -w=text -I=text --width=text --diff-program=program read*',
  diff3: '-L=text --label=text --diff-program=program read*',
  'diff colordiff delta icdiff':
    '-r+tree --recursive+tree -I=text -U=text -C=text -W=text -x=text -X=read -L=text -S=text -D=text --label=text --exclude=text --exclude-from=read --to-file=read --from-file=read --color=?text --unified=?text --context=?text --diff-program=program --pager=shell read*',
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 b3sum':
    '-a=text --algorithm=text read*',
  'hexdump hd': '-n=text -s=text -e=text -f=read read*',
  xxd: '-l=text -s=text -c=text -g=text -o=text -n=text read write',
  od: '-A=text -t=text -N=text -j=text -w=?text read*',
  strings: '-n=text -t=text -e=text read*',
  'base64 base32 basenc': '-w=text --wrap=text -i=read -o=write -b=text read*',
  'grep egrep fgrep zgrep ggrep pcregrep':
    '-r+tree -R+tree --recursive+tree --dereference-recursive+tree -e=text^ --regexp=text^ -f=read^ --file=read^ -m=text -A=text -B=text -C=text -d=text -D=text --include=text --exclude=text --exclude-dir=text --exclude-from=read --color=?text --colour=?text --label=text --max-count=text --after-context=text --before-context=text --context=text --binary-files=text text read*',
  'rg ripgrep':
    '--pre=program --hostname-bin=program --pre-glob=text -g=text --glob=text --iglob=text -t=text -T=text --type=text --type-not=text --type-add=text -e=text^ --regexp=text^ -f=read^ --file=read^ -A=text -B=text -C=text -m=text -d=text --max-depth=text --max-count=text -M=text -r=text --replace=text --sort=text --sortr=text -j=text --threads=text -E=text --encoding=text --ignore-file=read --color=text --colors=text --engine=text --context=text --after-context=text --before-context=text --files+files text search*',
  'ag ack sift ugrep':
    '--pager=shell -A=text -B=text -C=text -m=text -G=text --ignore=text --ignore-dir=text --type=text --config=script --ackrc=script --output=perl-code --filter=shell text search*',
  'sed gsed':
    '-e=sed^ --expression=sed^ -f=script^ --file=script^ -i=?edit-mode --in-place=?edit-mode -l=text --line-length=text sed read*',
  'awk gawk mawk nawk original-awk':
    '-F=text -v=awk-value --assign=awk-value -W=text!unknown-command -f=script^ --file=script^ -E=script^ --exec=script^ -e=awk^ --source=awk^ -i=script --include=script -l=text!unknown-command --load=text!unknown-command --field-separator=text -o=?write -p=?write -d=?write awk read*',
  'jq gojq jaq':
    '-f=script^ --from-file=script^ --indent=text -L=code-folders --library-path=code-folders --arg=text --argjson=text --slurpfile=text --rawfile=text jq read*',
  'yq xq tomlq':
    '-i+write --inplace+write -o=text -p=text -I=text --output-format=text --input-format=text -s=text jq read*',
  'gron envsubst jo tidy': '-o=write --output=write read*',
  xmllint: '--noent!unknown --xinclude!unknown --path=read -o=write --output=write read*',
  exiftool: '%long -config=script -if=perl-code -p=text -o=write -w=text -@=read edit*',
  'pdftotext pdfinfo mediainfo': 'read write',
  iconv: '-f=text -t=text -o=write --from-code=text --to-code=text --output=write read*',
  man: '-P=shell --pager=shell -H=?shell --html=?shell -M=text -C=script -S=text -L=text -l+files --local-file+files manual-page*',
  info: '-o=write --output=write -f=read --file=read -d=read --directory=read --init-file=script text*',
  'apropos whatis tldr help cheat': 'text*',
  'which whereis type hash': 'text*',
  'mlr miller csvcut csvstat csvlook csvgrep csvsort csvjson xsv qsv fx jc htmlq pup dasel glow mdcat pygmentize':
    '-o=write --output=write -f=text -i=text -F=text argument*',
  'qpdf pdftk pdfunite pdfseparate mutool': 'argument*',
  'xmlstarlet xsltproc': '-L+write --inplace+write -o=write --output=write --writesubtree=tree argument*',
  pv: '-s=text -L=text -N=text -i=text read*',
  'tokei cloc scc wc-l sloccount': 'list*',
  'nm objdump readelf size ldd otool c++filt addr2line': '-j=text -M=text -C -e=read read*',
  'strip objcopy': '-o=write edit*',
  dc: '<bang -e=bang --expression=bang -f=script --file=script script*',
  'vim vi nvim view ex vimdiff gvim rvim':
    '<ex-command --server=text!unknown-command --remote=text!unknown-command --remote-send=ex-command!unknown-command --remote-expr=ex-command!unknown-command -e+ex -E+ex -s+keys -l=script -c=ex-command --cmd=ex-command -S=script -u=script -U=script -w=write -W=write -i=script -T=text vim*',
  'ed red': '<bang -p=text ed*',
  'nano pico micro joe emacs-nox': '-plugin=text!install -s=program --speller=program -f=script --rcfile=script edit*',
  'emacs emacsclient':
    '--eval=elisp --execute=elisp -e=elisp -l=script --load=script --script=script -f=text --funcall=text --insert=read -batch --batch edit*',
}
