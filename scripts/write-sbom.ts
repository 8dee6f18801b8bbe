/**
 * `npm run sbom`: writes the list of all packages, with their hashes and licences, to be checked
 * against known vulnerabilities.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sbomOf, type Lock } from './sbom-text.ts'

const root = join(import.meta.dirname, '..')
const file = join(root, 'sbom.cdx.json')
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock

writeFileSync(file, `${JSON.stringify(sbomOf(lock), null, 2)}\n`)
console.log(`Written to ${file}: ${Object.keys(lock.packages).length - 1} places of the lock file.`)
