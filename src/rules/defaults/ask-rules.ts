import { ASK_PATH_RULES } from './ask-path-rules.ts'
import type { DefaultRule } from './default-rule.ts'

/** The default rules that ask a person. */
export const ASK_RULES: readonly DefaultRule[] = [
  ...ASK_PATH_RULES,
  {
    name: 'ask_privilege',
    decision: 'ask',
    reason: 'the command uses the rights of another user or leaves the sandbox',
    acts: ['privilege', 'attributes', 'debug'],
    examples: { matches: ['sudo apt-get update', 'sudo -l', 'su -c ls'], not: ['which sudo'] },
  },
  {
    name: 'ask_network',
    decision: 'ask',
    reason: 'the command connects to other machines',
    acts: ['network', 'listen'],
    ports: ['*'],
    examples: { matches: ['wget https://example.com/file.zip', 'git pull', 'ssh host ls'], not: ['git log'] },
  },
  {
    name: 'ask_install',
    decision: 'ask',
    reason: 'the command fetches code from the network and may run it',
    acts: ['install'],
    examples: {
      matches: ['pip install requests', 'npm ci', 'npx some-package'],
      not: ['npm test', 'npm run lint -- --fix', 'npx tsc --noEmit'],
    },
  },
  {
    name: 'ask_publish',
    decision: 'ask',
    reason: 'the command publishes something from the workspace',
    acts: ['publish', 'remote'],
    examples: { matches: ['git push', 'npm publish', 'python3 -m http.server'], not: ['git commit -m x'] },
  },
  {
    name: 'ask_lost_work',
    decision: 'ask',
    reason: 'the command discards changes or history of the repository',
    acts: ['lose-work'],
    examples: {
      matches: ['git reset --hard HEAD~5', 'git clean -fd', 'git checkout -- .', 'git stash drop'],
      not: ['git clean -n', 'git checkout main', 'git restore --staged a.ts'],
    },
  },
  {
    name: 'ask_kill',
    decision: 'ask',
    reason: 'the command ends processes',
    acts: ['kill'],
    examples: { matches: ['kill 1234', 'pkill node'], not: ['kill -0 1234', 'kill -l'] },
  },
  {
    name: 'ask_environment',
    decision: 'ask',
    reason: 'the command prints variables that may hold secrets',
    acts: ['environment', 'secret-variable'],
    examples: {
      matches: ['env', 'printenv', 'echo $AWS_SECRET_ACCESS_KEY'],
      not: ['echo $HOME', 'env NODE_ENV=test npm test', 'printenv PATH'],
    },
  },
  {
    name: 'ask_settings',
    decision: 'ask',
    reason: 'the command changes settings that outlive it, or how other programs find their code',
    acts: ['config', 'injects-own', 'open', 'service'],
    examples: {
      matches: [
        'npm config set registry http://x.example',
        'git config --global user.name x',
        'LD_LIBRARY_PATH=./lib ./app',
      ],
      not: ['git config user.name'],
    },
  },
  {
    name: 'ask_container',
    decision: 'ask',
    reason: 'the command works in a container or virtual machine',
    acts: ['container'],
    examples: { matches: ['docker run alpine ls'], not: ['docker ps'] },
  },
  {
    name: 'ask_flood',
    decision: 'ask',
    reason: 'the command may fill the disk or never end',
    acts: ['flood'],
    examples: {
      matches: ['yes > fill.txt', 'fallocate -l 1T x', 'while true; do :; done'],
      not: ['head -c 100 /dev/urandom', 'yes | head -3'],
    },
  },
  {
    name: 'ask_uncertain',
    decision: 'ask',
    reason: 'the code may do something forbidden; that cannot be read for certain',
    examples: {
      matches: ['python3 -c "p=\'/etc/shadow\'; print(p)"'],
      not: ['python3 -c "print(1)"', 'python3 -c "open(\'/etc/shadow\')"'],
    },
  },
  {
    name: 'ask_code_effects',
    decision: 'ask',
    reason: 'the code starts programs, changes files, or hides what it does',
    acts: ['code-starts', 'code-changes'],
    examples: {
      matches: ['python3 -c "import os; os.system(\'ls\')"', 'node -e "require(\'fs\').rmSync(process.argv[1])"'],
      not: ['node -p "require(\'./package.json\').version"', 'python3 -c "print(1)"'],
    },
  },
]
