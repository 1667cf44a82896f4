import { BUILD_COMMANDS } from './build-commands.ts'
import { FILE_COMMANDS } from './file-commands.ts'
import { GIT_COMMANDS } from './git-commands.ts'
import { LANGUAGE_COMMANDS } from './language-commands.ts'
import { NETWORK_COMMANDS } from './network-commands.ts'
import { PACKAGE_COMMANDS } from './package-commands.ts'
import { SYSTEM_COMMANDS } from './system-commands.ts'
import { TEXT_COMMANDS } from './text-commands.ts'
import { WRAPPER_COMMANDS } from './wrapper-commands.ts'

/** Every known command: names → spec (the language is described in command-spec.ts). */
export const COMMANDS: Readonly<Record<string, string>> = {
  ...BUILD_COMMANDS,
  ...FILE_COMMANDS,
  ...GIT_COMMANDS,
  ...LANGUAGE_COMMANDS,
  ...NETWORK_COMMANDS,
  ...PACKAGE_COMMANDS,
  ...SYSTEM_COMMANDS,
  ...TEXT_COMMANDS,
  ...WRAPPER_COMMANDS,
}
