import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The port that users reach the server of this data folder at: commands in another shell do not
 * have its PORT.
 */
const fileOf = (dataDir: string): string => join(dataDir, 'port')

/** Where the folder cannot be written, commands need the setting. */
export function keepPort(dataDir: string, port: number): void {
  try {
    writeFileSync(fileOf(dataDir), `${port}\n`)
  } catch {
    // Only links in messages that a command prints follow from it.
  }
}

/** Undefined if no server has run here. */
export function keptPort(dataDir: string): number | undefined {
  try {
    const text = readFileSync(fileOf(dataDir), 'utf8').trim()
    return /^\d{1,5}$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}
