/** Commands that connect to other machines. */
export const NETWORK_COMMANDS: Readonly<Record<string, string>> = {
  curl: '-o=write --output=write --output-dir=write -O+remote-name --remote-name+remote-name --remote-name-all+remote-name -J -T=send --upload-file=send -d=data --data=data --data-binary=data --data-raw=text --data-ascii=data --data-urlencode=data --json=data -F=form --form=form -b=cookie --cookie=cookie -c=write --cookie-jar=write -K=curl-config!network --config=curl-config!network -H=data --header=data -D=write --dump-header=write -E=read --cert=read --key=read --cacert=read --netrc-file=read -n!netrc --netrc!netrc -u=text --user=text -A=text --user-agent=text -e=text --referer=text -x=url --proxy=url -X=text --request=text -m=text --max-time=text --connect-timeout=text --retry=text -w=text --write-out=text --resolve=text --connect-to=text --unix-socket=socket --abstract-unix-socket=text --url=url -r=text --range=text --trace=write --trace-ascii=write --stderr=write --interface=text -Y=text -y=text -z=text -C=text --limit-rate=text --etag-save=write --hsts=write --libcurl=write url*',
  wget: '-O=write --output-document=write -P=write --directory-prefix=write -o=write --output-file=write -a=write --append-output=write --post-file=send --body-file=send --post-data=text --body-data=text --header=text -U=text --user-agent=text -i=read!network --input-file=read!network -e=wget-command --execute=wget-command --use-askpass=program --config=read -t=text -T=text -w=text -Q=text -l=text -A=text -R=text -D=text -I=text -X=text -B=text --load-cookies=read --save-cookies=write --user=text --password=text --method=text --timeout=text --tries=text --limit-rate=text --ca-certificate=read --warc-file=write url*',
  'aria2c axel lynx links w3m elinks':
    '-o=write -d=write --out=write --dir=write -i=read!network --input-file=read!network --on-download-complete=program -cmd_script=script url*',
  'http https xh httpie': '-o=write --output=write -a=text --auth=text url data*',
  'nc ncat netcat nc.openbsd nc.traditional':
    '-e=reverse --exec=reverse -c=reverse --sh-exec=reverse --lua-exec=script -w=text -p=text -s=text -q=text -i=text -x=host -X=text -T=text -l!listen host port',
  socat: 'socat*',
  telnet: '<bang -l=text -b=text -n=write host port',
  'ftp tftp lftp sftp':
    '<ftp-command -e=ftp-command -c=ftp-command -f=script -b=script -o=ssh-option -P=text -S=program -D=program -i=read -F=script host text*',
  'ssh autossh mosh dbclient':
    '-o=ssh-option -i=read -F=script -E=write -I=script -S=text -p=port -l=text -L=text -R=text -D=text -J=host -b=text -c=text -e=text -m=text -O=text -Q=text -W=text -w=text -B=text remote-host remote-shell',
  scp: '-o=ssh-option -i=read -F=script -S=program -P=port -c=text -J=host -l=text -D=program -r+tree remote* remote-into',
  sshpass: '-p=text -f=read -P=text argv',
  'ssh-keygen': '-f=write -N=text -C=text -t=text -b=text -l+read -y+read -D=script -R=text text*',
  'ssh-add': '@secrets read*',
  'ssh-copy-id': '@persist -i=read -f -p=port -o=ssh-option remote-host',
  'ssh-keyscan': '@network -p=port -t=text -f=read host*',
  'ping ping6 fping traceroute tracepath mtr arping hping3':
    '-c=text -i=text -W=text -w=text -s=text -t=text -I=text -n -p=text host',
  'nslookup host drill kdig': '-t=text -type=text -p=port host*',
  dig: '-t=text -p=port -x=host -f=read -q=host -b=text -k=read dig*',
  'whois finger': '-h=host -p=port host*',
  'nmap masscan zmap': '@network -p=text -oN=write -oX=write -oG=write -oA=write -iL=read --script=script host*',
  openssl: '%sub %loads',
  'openssl/s_client openssl/s_server openssl/s_time openssl/ocsp': '@network -connect=text -key=read -cert=read text*',
  'openssl/base64 openssl/enc': '%long -in=read -out=write -pass=text -k=text -kfile=read -K=text -iv=text text*',
  'openssl/rand': '%long -out=write -rand=read -writerand=write size',
  'openssl/engine': '%long -pre=script -post=script script*',
  'openssl/version openssl/list openssl/speed openssl/ciphers openssl/prime openssl/passwd':
    '%long -out=write -in=read text*',
  'openssl/*':
    '%long -in=read -out=write -inkey=read -key=read -keyout=write -CA=read -CAkey=read -cert=read -engine=script -provider=script -passin=text -passout=text -subj=text -days=text read*',
  'tcpdump tshark wireshark dumpcap': '@privilege -w=write -r=read -z=program -i=text text*',
  'ngrok cloudflared localtunnel lt serveo bore frpc': '@publish text*',
  'ansible-playbook ansible-lint':
    '--syntax-check+dry --list-tasks+dry --list-hosts+dry --version+dry @network -c=script -i=read -e=text text*',
  'rclone aws gcloud gsutil az s3cmd heroku vercel netlify flyctl fly ansible pulumi doctl': '@network -a=shell text*',
  kubectl: '%sub -n=text --namespace=text --context=text --kubeconfig=read',
  'kubectl/version kubectl/help kubectl/completion kubectl/explain-local': 'text*',
  'kubectl/exec': '@network -c=text -n=text text argv',
  'kubectl/*': '@network text*',
  'salt salt-call': '@network argv',
  kustomize: '%sub %loads',
  'kustomize/build kustomize/version kustomize/cfg':
    '--enable-exec!unknown-command --enable-alpha-plugins!unknown-command --enable-helm!network -o=write argument*',
  'kustomize/*': '@network text*',
  'helm terraform tofu': '%sub %loads -chdir=dir',
  'helm/version helm/template helm/lint helm/create helm/env terraform/fmt terraform/validate terraform/version terraform/graph terraform/plan terraform/show terraform/output terraform/providers tofu/plan tofu/show tofu/fmt tofu/validate':
    '%long -out=write -var-file=read -state=write -state-out=write -post-renderer=program argument*',
  'helm/* terraform/* tofu/*': '@network text*',
  'mail mailx sendmail mutt swaks msmtp': '@publish -a=read -A=read -s=text -r=text -S=text text*',
}
