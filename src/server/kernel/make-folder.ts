import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates the folder and its parents. Node's recursive mkdir never returns if the system cannot
 * create a folder, as below /proc. Other users, such as PostgreSQL's, may enter but not list the
 * folder; files in it are protected one by one.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  } catch (error) {
    // Another start may have created it meanwhile.
    if (!existsSync(path)) throw error
  }
}
