/** Commands that run another command, which is read as if it were alone. */
export const WRAPPER_COMMANDS: Readonly<Record<string, string>> = {
  'nohup setsid unbuffer busybox toybox eatmydata fakeroot catchsegv dbus-run-session dbus-launch caffeinate ssh-agent torsocks tsocks builtin noglob nocorrect tini dumb-init chronic ifne winpty padsp aoss primusrun optirun gamemoderun mangohud heaptrack sccache ccache distcc retry srun with-contenv zrun annotate-output fakechroot':
    'argv',
  'chpst softlimit mpirun mpiexec trickle uftrace rr cset systemd-cat':
    '-u=text -m=text -n=text -np=text -d=text -l=text -t=text -o=write argv',
  'envdir setlock s6-setuidgid s6-envdir': 'text argv',
  setpriv: '@privilege argv',
  bpftrace: '@privilege -c=shell -e=text argv',
  'mispipe pee': 'shell*',
  'flatpak-spawn': '@privilege --directory=dir argv',
  'proxychains proxychains4': '-f=read @network argv',
  command: '-v+dry -V+dry argv',
  exec: '-a=text argv',
  nice: '-n=text --adjustment=text argv',
  ionice: '-c=text -n=text -p=text -P=text --class=text --classdata=text argv',
  chrt: '-p=text -T=text -P=text -D=text text argv',
  taskset: 'argv',
  'cpulimit cgexec choom': '-g=text -l=text -p=text -n=text argv',
  numactl: '-C=text -N=text -m=text -i=text -p=text -P=text -w=text argv',
  prlimit: '-p=text --pid=text -o=text argv',
  'setarch linux32 linux64 i386 x86_64 arch': 'argv',
  timeout: '-s=text -k=text --signal=text --kill-after=text text argv',
  gtimeout: '-s=text -k=text --signal=text --kill-after=text text argv',
  stdbuf: '-i=text -o=text -e=text --input=text --output=text --error=text argv',
  time: '-o=write -f=text --output=write --format=text argv',
  rlwrap:
    '-b=text -C=text -D=text -f=read -g=text -H=write -l=write -m=text -O=text -P=text -q=text -s=text -S=text -t=text -w=text -z=program argv',
  'xvfb-run': '-n=text -s=text -e=write -f=write -w=text -p=text argv',
  faketime: '-f=text text argv',
  hyperfine:
    '-w=text -r=text -m=text -M=text -n=text -a=text -s=text --warmup=text --runs=text --prepare=shell --setup=shell --cleanup=shell --conclude=shell shell*',
  'env genv cross-env dotenv': '',
  'sudo gsudo':
    '@privilege -u=text -g=text -h=text -p=text -C=text -D=dir -R=dir -r=text -t=text -T=text -U=text --user=text --group=text --host=text --prompt=text --chdir=dir --chroot=dir -e+write -s+shell --shell+shell -i+shell --login+shell environment',
  sudoedit: '@privilege -u=text write*',
  'doas pkexec run0': '@privilege -u=text -C=read --user=text -s+shell environment',
  'gosu su-exec setuidgid': '@privilege text argv',
  su: '@privilege -c=shell --command=shell --session-command=shell -s=program --shell=program -g=text -G=text -w=text text*',
  runuser: '@privilege -u=text -c=shell --command=shell -s=program --shell=program -g=text -G=text --user=text argv',
  sg: '@privilege -c=shell text shellrest',
  newgrp: '@privilege text -c=shell',
  'systemd-run':
    '@persist -p=text --property=text --unit=text --uid=text --gid=text --on-calendar=text --on-active=text --working-directory=dir -E=text --setenv=text -t --user argv',
  'systemd-inhibit': '--what=text --who=text --why=text --mode=text argv',
  chroot: '@privilege --userspec=text --groups=text list argv',
  'unshare nsenter':
    '@privilege -t=text --target=text -S=text -G=text -R=dir -w=dir --root=dir --wd=dir --map-user=text --map-group=text argv',
  'bwrap firejail proot nsjail': '@privilege argv',
  capsh: '@privilege --user=text --caps=text --drop=text argv',
  flock: '-c=shell --command=shell -w=text -E=text --timeout=text --wait=text --conflict-exit-code=text text argv',
  script:
    '-c=shell --command=shell -O=write -I=write -B=write -T=write -t=?write -E=text -m=text -o=text --log-out=write --log-in=write --log-io=write --log-timing=write write argv',
  'watch viddy': '-n=text --interval=text -q=text --equexit=text shellrest',
  entr: '-s+shell argv',
  watchexec: '-e=text --exts=text -w=text --watch=text -i=text --ignore=text -s=text --signal=text -d=text shellrest',
  nodemon:
    '-x=shell --exec=shell -e=text --ext=text -w=text --watch=text -i=text --ignore=text --delay=text local-argv',
  'inotifywait fswatch': '-e=text -l=text -m read*',
  ltrace:
    '-o=write -e=text -p=debug -s=text -u=text -a=text -A=text -D=text -F=read -l=text -n=text -w=text -x=text argv',
  strace:
    '-o=write -e=text -p=debug -s=text -u=text -E=text -P=text -a=text -O=text -S=text -b=text -I=text -X=text argv',
  valgrind: 'argv',
  gdb: '%long <bang -ex=bang -eval-command=bang -iex=bang -init-eval-command=bang -x=script -command=script -ix=script -p=debug -pid=debug -cd=dir -args+args argv',
  lldb: '%long -o=bang -one-line=bang -O=bang -s=script -source=script -p=debug -pid=debug argv',
  direnv: '%sub',
  'direnv/exec': 'text argv',
  'direnv/*': '@config text*',
  'start-stop-daemon': '@persist --exec=program --startas=program -x=program -a=program -p=text --pidfile=text argv',
  daemonize: '@persist -p=write -o=write -e=write -c=dir -u=text argv',
  'at batch': '@persist -f=script text*',
  'xargs gxargs parallel': '',
  concurrently: '-n=text --names=text -c=text --prefix=text -p=text shell*',
  'wsl wsl.exe': '@unknown-command argv',
  'xterm gnome-terminal konsole alacritty kitty wezterm foot ptyxis tilix urxvt xfce4-terminal':
    '@unknown-command -e=shell -x=shell --command=shell argv',
  tmux: '%sub -L=text -S=text -f=script -c=shell',
  'tmux/ls tmux/list-sessions tmux/-V': 'text*',
  'tmux/* tmux/': '@unknown-command -s=text -n=text -t=text -c=dir -x=text -y=text -e=text -F=text shellrest',
  screen:
    '@unknown-command -ls+dry -list+dry -v+dry -S=text -t=text -h=text -p=text -s=program -T=text -c=script -X shellrest',
}
