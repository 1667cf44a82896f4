/** git, one line for each subcommand. Options before the subcommand belong to `git` itself. */
export const GIT_COMMANDS: Readonly<Record<string, string>> = {
  git: '%sub -C=git-folder -c=git-config --config-env=git-env --exec-path=program-path --git-dir=git-dir --work-tree=git-dir --namespace=text --super-prefix=text --attr-source=text',
  'git/status git/shortlog git/describe git/rev-parse git/rev-list git/ls-tree git/merge-base git/show-ref git/for-each-ref git/var git/name-rev git/show-branch git/check-ignore git/check-attr git/count-objects git/fsck git/verify-commit git/verify-tag git/version git/help git/range-diff git/cherry git/column git/stripspace git/write-tree git/mktree git/patch-id git/symbolic-ref':
    '-C=text -n=text -S=text -G=text --grep=text --author=text --since=text --until=text --format=text --pretty=text text*',
  'git/hash-object': '-t=text --path=text read*',
  'git/reflog': '%sub',
  'git/reflog/delete': '@lose-work text*',
  'git/reflog/*': 'text*',
  'git/cat-file git/annotate git/interpret-trailers': '-L=text git-path*',
  'git/merge-file': '-L=text git-path*',
  'git/mv': '%everyday -f!lose-work --force!lose-work move* into',
  'git/log git/show git/diff git/format-patch git/whatchanged git/diff-tree git/diff-index git/diff-files':
    '-n=text -S=text -G=text -L=text --grep=text --author=text --since=text --until=text --after=text --before=text --format=text --pretty=text --output=write -o=write --output-directory=write -O=read --word-diff-regex=text --ext-diff --to=text git-path*',
  'git/blame': '--contents=read -L=text --since=text -S=read git-path*',
  'git/ls-files': '-x=text -X=read --exclude=text --exclude-from=read text*',
  'git/grep':
    '-O=?program --open-files-in-pager=?program -e=text -f=read -A=text -B=text -C=text -m=text --max-depth=text text git-path*',
  'git/add git/stage': '--pathspec-from-file=read --chmod=text git-add*',
  'git/commit':
    '-m=text -F=read -C=text -c=text -t=read --message=text --file=read --author=text --date=text --template=read --fixup=text --squash=text --trailer=text --cleanup=text -S=?text --gpg-sign=?text text*',
  'git/tag git/notes':
    '-m=text -F=read -u=text -d!lose-work --delete!lose-work -f!lose-work --sort=text --format=text text*',
  'git/branch':
    '-D!lose-work -M!lose-work -f!lose-work --force!lose-work -u=text --sort=text --format=text --contains=text text*',
  'git/switch git/checkout':
    '--+paths -b=text -B=text -c=text -C=text -f!lose-work --force!lose-work --discard-changes!lose-work --orphan=text --pathspec-from-file=read!lose-work checkout*',
  'git/restore':
    '--staged+staged -S+staged -s=text --source=text -W!lose-work --worktree!lose-work --pathspec-from-file=read!lose-work restore*',
  'git/reset': '--hard!lose-work --merge!lose-work --keep!lose-work text*',
  'git/clean': '-n+dry --dry-run+dry -e=text @lose-work text*',
  'git/stash': '%sub',
  'git/stash/list git/stash/push git/stash/save git/stash/pop git/stash/apply git/stash/create git/stash/branch':
    '-m=text text*',
  'git/stash/show': 'git-path*',
  'git/stash/*': '@lose-work text*',
  'git/mergetool': '-t=merge-tool --tool=merge-tool text*',
  'git/merge git/cherry-pick git/revert git/pull-request git/sparse-checkout git/update-index git/commit-tree git/merge-tree git/rerere git/request-pull':
    '%everyday -m=text -s=text -X=text -S=?text --strategy=text --directory=write --prefix=write text*',
  'git/am': '%everyday -p=text -C=text --directory=write --exclude=text --include=text git-path*',
  'git/apply':
    '<patch --check+dry --stat+dry --numstat+dry --summary+dry --cached+dry -p=text -C=text --directory=write --exclude=text --include=text --unsafe-paths!config patch-file*',
  'git/read-tree git/checkout-index':
    '--reset!lose-work -u!lose-work -f!lose-work --force!lose-work --prefix=write text*',
  'git/worktree': '%sub',
  'git/worktree/list git/worktree/lock git/worktree/unlock git/worktree/prune git/worktree/repair': 'text*',
  'git/worktree/add': '%everyday -b=text -B=text --reason=text write text*',
  'git/worktree/*': '@lose-work text*',
  'git/bundle': 'text write text*',
  'git/rm': '%everyday -f!lose-work --force!lose-work -r+tree --cached+dry --pathspec-from-file=read!lose-work delete*',
  'git/init':
    '%everyday --template=program-path --separate-git-dir=write --shared=?text -b=text --initial-branch=text --object-format=text write',
  'git/config':
    '--global!config --system!config --file=write -f=write --blob=text --type=text --default=text --get+read --get-all+read --get-regexp+read --list+read -l+read --unset --add --edit!config -e!config --rename-section!config --remove-section!config git-setting*',
  'git/remote': '%sub',
  'git/remote/-v git/remote/show git/remote/get-url': 'text*',
  'git/remote/*': '@remote text*',
  'git/push':
    '@publish --receive-pack=shell --exec=shell -o=text --push-option=text --repo=push-target push-target text*',
  'git/fetch git/pull git/clone git/ls-remote git/fetch-pack':
    '@network --upload-pack=shell -u=shell --exec=shell --remote=git-url -o=write --output=write --template=program-path -c=git-config --config=git-config -b=text --branch=text --depth=text -j=text --reference=read --separate-git-dir=write --format=text --prefix=text git-url write text*',
  'git/archive':
    '--remote=git-url!network --exec=shell -o=write --output=write --format=text --prefix=text --add-file=read git-path*',
  'git/submodule': '%sub',
  'git/submodule/status git/submodule/summary': 'text*',
  'git/submodule/foreach': 'shellrest',
  'git/submodule/*': '@network --reference=read git-url*',
  'git/rebase': '-x=shell --exec=shell --onto=text -s=text -X=text --strategy=text text*',
  'git/bisect': '%sub',
  'git/bisect/run': 'argv',
  'git/bisect/*': 'text*',
  'git/difftool git/mergetool--lib': '-t=merge-tool --tool=merge-tool -x=shell --extcmd=shell text*',
  'git/filter-branch':
    '@lose-work --tree-filter=shell --index-filter=shell --msg-filter=shell --env-filter=shell --parent-filter=shell --commit-filter=shell --tag-name-filter=shell --setup=shell --subdirectory-filter=text -d=write text*',
  'git/filter-repo': '@lose-work text*',
  'git/gc git/repack git/pack-refs git/maintenance':
    '%everyday --prune=text!lose-work --unpack-unreachable=text!lose-work text*',
  'git/reflog/expire git/prune': '@lose-work text*',
  'git/update-ref': '-d!lose-work --stdin!lose-work -m=text text moved-ref text',
  'git/send-email git/imap-send git/daemon git/instaweb git/http-push git/svn git/p4 git/cvsserver':
    '@publish --sendmail-cmd=shell --smtp-server=text --to-cmd=shell --cc-cmd=shell --header-cmd=shell text*',
  'git/credential git/credential-store git/credential-cache': '@secrets text*',
  'git/lfs': '@network text*',
  'git/*': '@unknown-command text*',
  gh: '%sub',
  'gh/auth gh/secret gh/ssh-key gh/gpg-key': '@secrets text*',
  'gh/*': '@network text*',
  'hub glab': '@network text*',
}
