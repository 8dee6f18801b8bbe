import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates the folder at the absolute `path`, and its parents. Node's recursive mkdir never returns where the system cannot create a folder,
 * as below /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another start may have created it meanwhile.
    if (!existsSync(path)) throw error
  }
}
