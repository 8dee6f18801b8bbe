import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates the folder at the absolute `path`, and its parents. Node's recursive mkdir never returns
 * where the system cannot create a folder, as below /proc. Others may pass through, as PostgreSQL's
 * own user must, but not look: files in it are closed to them one by one.
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
