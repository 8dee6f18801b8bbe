import { createHash } from 'node:crypto'

export type Locked = {
  name?: string
  version?: string
  integrity?: string
  license?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

export type Lock = { name: string; version: string; packages: Record<string, Locked> }

const FOLDER = 'node_modules/'

/**
 * A CycloneDX 1.6 list of every package in the lock file. It depends only on the lock file, so the
 * same lock file gives the same list.
 */
export function sbomOf({ name, version, packages }: Lock): object {
  const places = Object.keys(packages)
    .filter((place) => place.startsWith(FOLDER) && packages[place]?.link !== true)
    .toSorted()
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(packages))}`,
    version: 1,
    metadata: { component: { 'bom-ref': '.', type: 'application', name, version } },
    components: places.map((place) => componentOf(place, packages[place] ?? {})),
    dependencies: ['', ...places].map((place) => ({
      ref: place === '' ? '.' : place,
      dependsOn: neededBy(place, packages),
    })),
  }
}

function componentOf(place: string, locked: Locked): object {
  const name = locked.name ?? place.slice(place.lastIndexOf(FOLDER) + FOLDER.length)
  const { version = '', integrity, license, dev, optional } = locked
  return {
    'bom-ref': place,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    scope: dev ? 'excluded' : optional ? 'optional' : 'required',
    ...(integrity !== undefined && { hashes: hashesOf(integrity) }),
    ...(license !== undefined && {
      licenses: [
        /^[\w.+-]+$/.test(license) ? { license: { name: license } } : { expression: license },
      ],
    }),
  }
}

function hashesOf(integrity: string): object[] {
  return integrity.split(' ').flatMap((one) => {
    const [, algorithm, digest = ''] = /^sha(\d+)-(.+)$/.exec(one) ?? []
    return algorithm === undefined
      ? []
      : [{ alg: `SHA-${algorithm}`, content: Buffer.from(digest, 'base64').toString('hex') }]
  })
}

/**
 * The packages that a package needs, where Node finds them: in its own node_modules or in one
 * further up. Optional packages may be missing.
 */
function neededBy(place: string, packages: Lock['packages']): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {}
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return [
    ...new Set(
      names.flatMap(
        (name) =>
          foldersFrom(place)
            .map((folder) => `${folder}${FOLDER}${name}`)
            .find((other) => packages[other]?.link === undefined && other in packages) ?? [],
      ),
    ),
  ].toSorted()
}

/** 'node_modules/a/node_modules/b' → 'node_modules/a/node_modules/b/', 'node_modules/a/', ''. */
function foldersFrom(place: string): string[] {
  if (place === '') return ['']
  const above = place.lastIndexOf(`/${FOLDER}`)
  return [`${place}/`, ...foldersFrom(above < 0 ? '' : place.slice(0, above))]
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
