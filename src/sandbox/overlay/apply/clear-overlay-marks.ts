import { spawnSync } from 'node:child_process'

/** The system call number of lremovexattr(2). */
const REMOVE_NUMBER = process.arch === 'arm64' ? '15' : '198'

/** Removes the extended attributes by which an overlay marks its folders, from the paths on stdin. Node cannot do that. */
const CLEAR_IN_PERL = `
my @names = map { my $kind = $_; map { "$kind.overlay.$_" } qw(opaque redirect origin impure nlink upper uuid) } qw(trusted user);
$/ = "\\0";
while (my $path = <STDIN>) {
  chomp $path;
  for my $name (@names) { my ($one, $two) = ($path, $name); syscall($ARGV[0] + 0, $one, $two); }
}
`

/** Removes what an overlay noted on folders of its upper layer, so that they can become ordinary ones. False where this machine cannot do that. */
export function clearOverlayMarks(folders: readonly string[]): boolean {
  const { status } = spawnSync('/usr/bin/perl', ['-e', CLEAR_IN_PERL, REMOVE_NUMBER], {
    input: folders.map((path) => `${path}\0`).join(''),
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: {},
  })
  return status === 0
}
