import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { sharedFolder } from './shared-folder.ts'

/** A disk of its own, gone when the test is; undefined where this machine does not let us mount, which is an error in CI. */
export function smallDisk(kilobytes: number): { folder: string; remount(option: 'ro' | 'rw'): void } | undefined {
  const folder = sharedFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=0700`, 'haft-test', folder], { stdio: 'pipe' })
  } catch (thrown) {
    if (process.env.CI) throw thrown
    return undefined
  }
  onTestFinished(() => {
    if (existsSync(folder)) execFileSync('umount', ['-l', folder])
  })
  return {
    folder,
    remount: (option) => void execFileSync('mount', ['-o', `remount,${option}`, folder], { stdio: 'pipe' }),
  }
}

/** Why a test that needs one is skipped. */
export const NO_SMALL_DISK = 'this machine does not let the test mount a disk of its own (it needs root)'
