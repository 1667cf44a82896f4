/** Where the command lines of the corpora run, as their header says. */
export const LOCATION = {
  cwd: '/home/dev/ws',
  home: '/home/dev',
  workspace: '/home/dev/ws',
  haftHome: '/home/dev/.haft',
  haftPort: '4242',
}
