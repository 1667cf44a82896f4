import { changeManaged } from './managed-file.ts'

/** Adds a folder with tools to Haft's own settings file, or keeps the one that is there. */
export async function addManagedFolder(home: string, folder: string): Promise<void> {
  await changeManaged(home, (given) => ({ ...given, tools_dirs: [...new Set([...foldersOf(given), folder])] }))
}

/** Removes a folder with tools from Haft's own settings file. */
export async function removeManagedFolder(home: string, folder: string): Promise<void> {
  await changeManaged(home, (given) => ({ ...given, tools_dirs: foldersOf(given).filter((one) => one !== folder) }))
}

function foldersOf({ tools_dirs: folders }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(folders) ? folders : []
}
