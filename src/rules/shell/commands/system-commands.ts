/** Commands that show or change the machine itself, and shell builtins. */
export const SYSTEM_COMMANDS: Readonly<Record<string, string>> = {
  'true false : pwd whoami id groups users who w uptime uname nproc free lscpu lsblk lsusb lspci lsmod cal locale tty logname getconf sleep usleep clear reset tput stty vmstat iostat mpstat sensors last lastlog ps pstree top htop pgrep pidof jobs wait fg bg times ulimit umask shopt dirs return break continue shift getopts exit logout suspend caller bind-query lsof ss netstat ifconfig-query tabs nproc sw_vers locale-gen-query':
    '-p=text -s=text -i=text -d=text -n=text -u=text -o=text -C=text -t=text text*',
  dmesg:
    '-C!history --clear!history -c!history --read-clear!history -n=text!kernel -D!kernel -E!kernel -l=text -f=text --level=text --facility=text text*',
  hostname: '-F=read!kernel --file=read!kernel hostname*',
  'hostnamectl timedatectl localectl loginctl': '%sub',
  'hostnamectl/status timedatectl/status localectl/status loginctl/list-sessions hostnamectl/ timedatectl/ localectl/':
    'text*',
  'hostnamectl/* timedatectl/* localectl/* loginctl/*': '@kernel text*',
  date: '-I=?text --iso-8601=?text --rfc-3339=text -d=text --date=text -s!kernel --set!kernel -f=read -r=list text*',
  ip: '%sub',
  'ip/a ip/addr ip/address ip/link ip/route ip/r ip/neigh ip/-br': 'ip*',
  'ip/netns': '@privilege text*',
  'ip/*': '@kernel text*',
  ifconfig: 'ifconfig*',
  printenv: '',
  'shutdown reboot halt poweroff telinit init pm-suspend pm-hibernate rtcwake': '@power text*',
  systemctl: '%sub --user -H=host -M=text --type=text -t=text --state=text',
  'systemctl/status systemctl/show systemctl/cat systemctl/list-units systemctl/list-timers systemctl/list-unit-files systemctl/is-active systemctl/is-enabled systemctl/is-failed systemctl/list-dependencies systemctl/--version systemctl/':
    'text*',
  'systemctl/poweroff systemctl/reboot systemctl/halt systemctl/kexec systemctl/suspend systemctl/hibernate systemctl/rescue systemctl/emergency systemctl/isolate systemctl/default':
    '@power text*',
  'systemctl/enable systemctl/edit systemctl/link systemctl/set-default systemctl/set-environment systemctl/import-environment systemctl/mask systemctl/disable systemctl/preset':
    '@persist text*',
  'systemctl/*': '@service text*',
  'service rc-service sv initctl launchctl rc-update update-rc.d chkconfig supervisorctl': '@service text*',
  journalctl:
    '--vacuum-size=text!history --vacuum-time=text!history --vacuum-files=text!history --rotate!history -u=text -n=text --since=text --until=text -o=text text*',
  'mkfs mke2fs mkswap mkdosfs mkntfs newfs format blkdiscard sgdisk cgdisk hdparm sdparm nvme badblocks dmsetup lvremove vgremove pvremove lvreduce lvresize vgreduce vgchange lvchange pvmove lvcreate pvcreate vgcreate mdadm cryptsetup debugfs resize2fs xfs_admin swapoff dcfldd ddrescue dd_rescue sg_format mtools mknod kpartx partclone scrub nwipe dc3dd flashrom':
    '@disk text*',
  'fdisk sfdisk cfdisk parted gdisk losetup tune2fs swapon':
    '-l+dry --list+dry --show+dry --dump+dry -L=text -t=text -b=text @disk text*',
  'wipefs fsck e2fsck xfs_repair zpool zfs btrfs partprobe': '-n+dry --no-act+dry -t=text @disk text*',
  diskutil: '%sub',
  'diskutil/list diskutil/info': 'text*',
  'diskutil/*': '@disk text*',
  mount: 'mount*',
  umount: '@disk text*',
  'fsfreeze fstrim quotaoff sync-disk': '@disk text*',
  sync: 'text*',
  'useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup gpasswd passwd chpasswd newusers chsh chfn vipw vigr visudo dscl pw chage pwconv':
    '@account text*',
  getent: 'getent*',
  'blkid findmnt lslocks': 'text*',
  hwclock: '-r+dry --show+dry --verbose @kernel text*',
  'insmod modprobe rmmod kexec kmod depmod setenforce setcap update-grub grub-install grub-mkconfig efibootmgr mokutil sysrq apparmor_parser aa-disable auditctl bpftool update-initramfs dkms ldconfig update-alternatives alternatives update-ca-certificates':
    '@kernel text*',
  getcap: 'list*',
  sysctl: '-w!kernel --write!kernel -p!kernel --load!kernel --system!kernel sysctl*',
  'iptables ip6tables nft ufw firewall-cmd ebtables arptables ipset pfctl tc route ethtool iwconfig nmcli wg wg-quick brctl':
    '-L+dry --list+dry -S+dry @kernel text*',
  crontab: '-l+dry -u=text @persist text*',
  'incrontab fcrontab atd anacron': '@persist text*',
  kill: '',
  'pkill killall killall5 skill xkill slay': '',
  fuser: '-k!kill --kill!kill list*',
  renice: '-n=text -p=text text*',
  history: '-c!history -d=text!history -w!history -r=read -a!history text*',
  fc: '-e=program -l+dry -s @unknown-command text*',
  'docker podman nerdctl': '%sub %loads -H=host --host=host --config=script -c=text --context=text',
  'docker/ps docker/images docker/logs docker/version docker/info docker/inspect docker/top docker/stats docker/port docker/diff docker/history docker/search-local docker/--version docker/-v podman/ps podman/images podman/logs podman/version podman/info podman/inspect podman/--version nerdctl/ps nerdctl/images docker/ podman/':
    '-n=text --tail=text -f=text --format=text --filter=text text*',
  'docker/run docker/create podman/run podman/create nerdctl/run':
    '@container -v=mount-volume --volume=mount-volume --mount=mount-volume --privileged!container-root --pid=container-share --net=text --network=text --ipc=text --cap-add=container-share --device=container-share --security-opt=text --userns=text -u=text --user=text -e=text --env=text --env-file=env-file -w=text --workdir=text --name=text -p=text --publish=text --entrypoint=text -l=text -h=text -m=text --restart=text --volumes-from=text text argv',
  'docker/exec podman/exec nerdctl/exec':
    '@container --privileged!container-root -u=text --user=text -e=text --env=text --env-file=env-file -w=text --workdir=text text argv',
  'docker/compose podman/compose docker-compose':
    '%sub -f=read --file=read -p=text --profile=text --env-file=text --project-directory=read',
  'docker/network docker/volume docker/image docker/container docker/context docker/system': '%sub',
  'docker/compose/ps docker/compose/config docker-compose/config docker/compose/logs docker/compose/ls docker/compose/images docker/compose/top docker/compose/version docker-compose/ps docker-compose/logs docker-compose/version docker/network/ls docker/network/inspect docker/volume/ls docker/volume/inspect docker/image/ls docker/image/inspect docker/container/ls docker/container/inspect docker/context/ls docker/system/df docker/system/info':
    'text*',
  'docker/compose/exec docker/compose/run docker-compose/exec docker-compose/run':
    '@container -v=mount-volume --volume=mount-volume -u=text --user=text -e=text --env=text -w=text --workdir=text --name=text -p=text --entrypoint=text --privileged!container-root text argv',
  'docker/compose/* podman/compose/* docker-compose/* docker/network/* docker/volume/* docker/image/* docker/container/* docker/context/* docker/system/*':
    '@container -v=mount-volume --volume=mount-volume text*',
  'docker/* podman/* nerdctl/*': '@container text*',
  'machinectl lxc lxc-attach vagrant': '@container -c=shell argv',
  'qemu-system qemu-img virsh buildah skopeo kind minikube': '@container text*',
  'gpg gpg2':
    '%loads --export-secret-keys!secrets --export-secret-subkeys!secrets --export-ownertrust!secrets --delete-secret-keys!secrets -o=write --output=write -r=text -u=text --homedir=read --keyserver=url --recv-keys!network --list-keys+dry -k+dry --list-secret-keys+dry -K+dry --batch --passphrase=text --passphrase-file=read read*',
  'security secret-tool pass keyring kwallet-query vault op bw lpass gopass chamber doppler age sops mimikatz':
    '@secrets text*',
  haft: '@haft text*',
  'pbpaste xclip xsel wl-paste': '@secrets text*',
  'pbcopy wl-copy': 'text*',
  'screencapture scrot import gnome-screenshot grim': '@secrets write*',
  'xdg-open open start gio wslview explorer.exe sensible-browser': '@open text*',
  'notify-send logger say wall write mesg': '@unknown-command text*',
  'powershell pwsh cmd cmd.exe powershell.exe': '@unknown-command -c=shell -Command=shell text*',
  defaults: '@config text*',
  'mimeopen xdg-mime xdg-settings gsettings dconf update-desktop-database': '@config text*',
  'eval source . alias unalias trap read mapfile readarray declare typeset local export readonly set unset let enable bind complete compgen compopt':
    '',
  'code codium cursor subl idea': '@open --install-extension=text!install text*',
  deactivate: '',
  'fortune uuidgen mcookie lsb_release inxi neofetch fastfetch': 'text*',
}
