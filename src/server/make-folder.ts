import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes the folder `path`, absolute, and those above it. Not Node's recursive mkdir: where the system answers that a folder cannot be,
 * as below /proc, that one never ends.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another start may have made it meanwhile.
    if (!existsSync(path)) throw error
  }
}
