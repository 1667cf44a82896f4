import { TRUSTED_SOURCE } from '../../core/rules/trusted-files.ts'

/**
 * What paths mean, as data. A path is matched in the form people write: `./a` in the workspace, `~/a` in the home
 * folder, absolute elsewhere; unknown parts are `…`, globs `*`. Samples are what a glob may hit.
 */
export interface Zone {
  readonly pattern: RegExp
  readonly samples: readonly string[]
}

const HOMES = '(?:~|/home/[^/]+|/Users/[^/]+|/root|…)'
const inHomes = (names: string) => new RegExp(`^${HOMES}/(?:${names})(?:/|$)`)

/** Every zone by its name. */
export const ZONES = {
  /** The root folder, its folders, and globs over them. */
  root: {
    pattern:
      /^\/[^/]*$|^\/[^/]*[*?[…][^/]*\/|^\/(home|Users|mnt|media|Volumes|srv|opt|var|usr|etc|lib|boot)\/(\*+|…)(\/(\*+|…))*$/,
    samples: ['/etc', '/usr', '/home', '/bin', '/var'],
  },
  /** A home folder, or everything in it. */
  home: { pattern: new RegExp(`^${HOMES.replace('|…', '')}(/(\\.?\\*+|…|\\.\\[.*))*/?$`), samples: ['~'] },
  /** Folders and files directly in the home folder. */
  homeEntry: { pattern: /^~\/[^/]+$/, samples: [] },
  workspace: { pattern: /^\.$/, samples: ['.'] },
  /** Everything in a folder of the workspace at once. */
  everything: { pattern: /^(\.|\/tmp|\/var\/tmp)(\/[^/*]+)*\/(\.?\*+|…)$/, samples: [] },
  repository: {
    pattern: /^\.(\/.*)?\/\.git(\/(objects|refs|HEAD|index|packed-refs|logs)(\/.*)?|\/\*+)?$/,
    samples: ['./.git'],
  },
  gitFiles: { pattern: /^\.(\/.*)?\/\.git\//, samples: ['./.git/config'] },
  hooks: {
    pattern: /^[.~](\/.*)?\/\.git\/(hooks(\/|$)|config$|info\/attributes$)|^\.(\/.*)?\/\.haft(\/|$)/i,
    samples: ['./.git/hooks/pre-commit', './.haft/settings.toml'],
  },
  /** The entry that makes a folder a repository; as a file it names another repository. */
  gitEntry: { pattern: /^\.(\/.*)?\/\.git$/i, samples: [] },
  /** Files that other programs execute or trust. */
  trusted: {
    pattern: new RegExp(`^\\.(/.*)?/(${TRUSTED_SOURCE})(/|$)`),
    samples: ['./.envrc', './.npmrc', './.mcp.json'],
  },
  system: {
    pattern:
      /^\/(etc|usr|bin|sbin|lib\w*|boot|opt|var|root|proc|sys|dev|srv|snap|run|System|Library|Applications|private|nix|lost\+found)(\/|$)/,
    samples: ['/etc/passwd', '/etc/hosts', '/usr/bin/ls', '/etc/cron.d/x', '/dev/sda', '/etc/sudoers'],
  },
  temporary: { pattern: /^\/(private\/)?(var\/)?tmp\/.|^\/dev\/shm\/.|^\/var\/folders\/./, samples: [] },
  harmless: {
    pattern: /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|random|urandom|ptmx|fd\/.*|pts\/.*)$/,
    samples: [],
  },
  device: {
    pattern:
      /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper|dm-|loop|md|sr|mem$|kmem$|port$|nbd|input|video|snd)|^\/proc\/(kcore|kmem|sysrq-trigger)/,
    samples: ['/dev/sda', '/dev/mem'],
  },
  /** Files that are run when a shell, an editor or the session starts. */
  startup: {
    pattern: inHomes(
      '\\.(bash|zsh|z|k|c|tc)?(shrc|rc|profile|login|logout|env|aliases|shenv|bashrc|zshrc|bash_\\w+|zprofile|zlogin|zlogout|zshenv|cshrc|kshrc|tcshrc)|\\.bash\\w*|\\.profile|\\.zsh\\w*|\\.config/(fish|autostart|systemd|nvim|git|pip|environment\\.d|plasma-workspace|i3|sway|hypr|zsh|bash|npm|yarn)|\\.gitconfig|\\.vimrc|\\.vim|\\.emacs(\\.d)?|\\.tmux\\.conf|\\.screenrc|\\.inputrc|\\.x(initrc|profile|session|sessionrc|modmap)|\\.pam_environment|\\.npmrc|\\.yarnrc(\\.yml)?|\\.pypirc|\\.pip|\\.cargo/(config|bin|env)(\\.toml)?|\\.local/(bin|share/(applications|systemd|dbus-1))|bin|Library/(LaunchAgents|LaunchDaemons)|\\.forward|\\.procmailrc|\\.curlrc|\\.wgetrc|\\.Rprofile|\\.irbrc|\\.pythonrc\\w*|\\.gdbinit|\\.m2|\\.gradle|\\.ipython|\\.jupyter|\\.oh-my-zsh|\\.nvm|\\.rvm|\\.pyenv|\\.claude\\w*|\\.cursor|\\.codex|\\.vscode',
    ),
    samples: ['~/.bashrc', '~/.profile', '~/.zshrc', '~/.bash_profile', '~/.gitconfig', '~/.vimrc'],
  },
  secret: {
    pattern: new RegExp(
      [
        inHomes(
          '\\.ssh(?!/[^/]*\\.pub$)|\\.gnupg|\\.aws|\\.azure|\\.config/(gcloud|gh|hub|op|rclone|sops|git/credentials|google-chrome|chromium|BraveSoftware|Bitwarden|Signal|discord|Slack|doctl|heroku|configstore|github-copilot|keybase|containers/auth\\.json)|\\.kube|\\.docker/config\\.json|\\.netrc|_netrc|\\.npmrc|\\.pypirc|\\.git-credentials|\\.password-store|\\.mozilla|\\.thunderbird|Library/(Keychains|Cookies|Safari|Application Support/(Google|Firefox|BraveSoftware))|\\.local/share/keyrings|\\.vault-token|\\.pgpass|\\.my\\.cnf|\\.mylogin\\.cnf|\\.\\w*_history|\\.lesshst|\\.viminfo|\\.cargo/credentials(\\.toml)?|\\.gem/credentials|\\.terraform\\.d|\\.terraformrc|\\.s3cfg|\\.boto|\\.bitcoin|\\.ethereum|\\.electrum|\\.claude\\w*|\\.codex|\\.gemini|\\.env(\\.\\w+)?|\\.Xauthority|\\.ICEauthority|\\.fly|\\.vercel|\\.snowflake|\\.databrickscfg|\\.oci|\\.ibmcloud|\\.composer/auth\\.json|\\.config/composer/auth\\.json|\\.m2/settings(-security)?\\.xml|\\.gradle/gradle\\.properties|\\.nuget|\\.chef|\\.ansible|\\.vnc|\\.putty|\\.wallet',
        ).source,
        '^/etc/(g?shadow|master\\.passwd|sudoers|ssl/private|pki/\\S*private|kubernetes|rancher|wpa_supplicant|ipsec\\.secrets|docker/key|krb5\\.keytab|NetworkManager/system-connections|wireguard|openvpn|letsencrypt|security/opasswd|ppp/\\S*secrets|mysql/debian\\.cnf)',
        '^/etc/ssh/ssh_host_\\w+_key$',
        '^/root(/|$)',
        '^/(proc|…)/[^/]+/(task/[^/]+/)?(environ|mem|maps|auxv)$|^/proc/(?!self)[^/]+/(fd|map_files|root|cwd)(/|$)|^/proc/(\\*+|…|self|\\d+)/\\*+$',
        '^/(var/)?run/(secrets|docker\\.sock|user/\\d+/(keyring|gnupg))|^/var/lib/(docker|kubelet|sudo|sss)|^/var/(backups|spool/cron|mail|log/(auth|secure|btmp))',
        '^/var/lib/(mysql|postgresql)|^/boot/(initrd|System\\.map)',
        '(^|/)\\.env(\\.(?!example|sample|template|dist|defaults?|schema|test\\.example)[\\w.-]+)?$',
        '(^|/)\\.env[*?[…]',
        '(^|/)id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?$',
        '(^|/)(deploy[-_]key|wallet\\.dat)$',
        '(^|/)(\\.netrc|\\.git-credentials|\\.pgpass|\\.htpasswd|\\.vault_pass|\\.dockercfg)$',
      ].join('|'),
    ),
    samples: [
      '/etc/shadow',
      '/etc/sudoers',
      '/etc/gshadow',
      '/root/.ssh/id_rsa',
      '~/.ssh/id_rsa',
      '~/.ssh/id_ed25519',
      '~/.ssh/authorized_keys',
      '~/.aws/credentials',
      '~/.netrc',
      '~/.npmrc',
      '~/.git-credentials',
      '~/.bash_history',
      '~/.gnupg/secring.gpg',
      '~/.kube/config',
      '~/.pgpass',
      './.env',
      './.env.local',
      '/proc/self/environ',
      '/proc/1/environ',
    ],
  },
  /** Keys and lists that are often harmless, so that a person decides. */
  sensitive: {
    pattern:
      /^\/etc\/(group|crypttab|fstab\.bak|hosts\.equiv|ssh\/|pam\.d|security)|(^|\/)[^/]*\.(pem|key|p12|pfx|kdbx|jks|keystore|ppk|asc|gpg|ovpn|tfstate)$|(^|\/)(credentials|client_secret|service[-_]account|secrets?)[^/]*\.(json|ya?ml|toml|ini|env|txt)$|(^|\/)(\.npmrc|\.pypirc|credentials|\.yarnrc\.yml|terraform\.tfvars)$|^\/var\/log\//,
    samples: ['/etc/group'],
  },
  /** The list of accounts. */
  accounts: { pattern: /^\/etc\/passwd-?$/, samples: ['/etc/passwd'] },
  /** Public keys. */
  public: { pattern: /\.pub$/, samples: [] },
  /** Histories and logs of shells and services. */
  records: {
    pattern: new RegExp(
      `^${HOMES}/\\.\\w*_history$|^/var/log(/|$)|^/var/(run/utmp|spool/mail)|^${HOMES}/\\.local/share/(fish|recently-used)`,
    ),
    samples: ['~/.bash_history', '~/.zsh_history'],
  },
  haft: {
    pattern: /^~\/\.haft(\/|$)|(^|\/)\.haft\/(token|grants\.toml|haft\.sqlite)/,
    samples: ['~/.haft/settings.toml'],
  },
} as const satisfies Readonly<Record<string, Zone>>

/** The name of a zone. */
export type ZoneName = keyof typeof ZONES
