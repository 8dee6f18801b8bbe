import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sbomOf, type Lock } from '../../scripts/sbom-text.ts'
import { ROOT } from '../tidy/source.ts'

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
type Sbom = {
  bomFormat: string
  specVersion: string
  serialNumber: string
  components: Record<string, unknown>[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
const sbom = sbomOf(lock) as Sbom

test('the list has every package of the lock file once, with version, address and SHA-512', () => {
  const installed = Object.entries(lock.packages).filter(
    ([place, { link }]) => place.startsWith('node_modules/') && !link,
  )
  expect(sbom.components.map((one) => one['bom-ref'])).toEqual(
    installed.map(([place]) => place).toSorted(),
  )
  expect(new Set(sbom.components.map((one) => one['bom-ref'])).size).toBe(installed.length)
  for (const { purl, version, hashes } of sbom.components) {
    expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/)
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
    expect(hashes).toMatchObject([
      { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) },
    ])
  }
})

test('the list has the dependencies of each package, all of which are listed', () => {
  const known = new Set(['.', ...sbom.components.map((one) => one['bom-ref'])])
  expect(sbom.dependencies.map(({ ref }) => ref)).toEqual([...known])
  expect(
    sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref)),
  ).toEqual([])
  expect(sbom.dependencies[0]?.dependsOn).toEqual(
    expect.arrayContaining(['node_modules/fastify', 'node_modules/react']),
  )
})

test('a nested package takes precedence over the one above, and an alias has its own name', () => {
  const made = sbomOf({
    name: 'product',
    version: '1.0.0',
    packages: {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '2', c: '1' } },
      'node_modules/a/node_modules/b': { version: '2.0.0', dev: true },
      'node_modules/b': {
        name: '@scope/real',
        version: '1.0.0',
        optional: true,
        license: 'MIT OR Apache-2.0',
      },
      'node_modules/c': { link: true },
    },
  }) as Sbom
  expect(made.dependencies).toEqual([
    { ref: '.', dependsOn: ['node_modules/a'] },
    { ref: 'node_modules/a', dependsOn: ['node_modules/a/node_modules/b'] },
    { ref: 'node_modules/a/node_modules/b', dependsOn: [] },
    { ref: 'node_modules/b', dependsOn: [] },
  ])
  expect(made.components[2]).toEqual({
    'bom-ref': 'node_modules/b',
    type: 'library',
    name: '@scope/real',
    version: '1.0.0',
    purl: 'pkg:npm/%40scope/real@1.0.0',
    scope: 'optional',
    licenses: [{ expression: 'MIT OR Apache-2.0' }],
  })
})

test('the same lock file gives the same list; a changed one gives another serial number', () => {
  expect(JSON.stringify(sbomOf(lock))).toBe(JSON.stringify(sbom))
  expect(
    (
      sbomOf({
        ...lock,
        packages: { ...lock.packages, 'node_modules/new': { version: '1.0.0' } },
      }) as Sbom
    ).serialNumber,
  ).not.toBe(sbom.serialNumber)
})

/**
 * Licences that require nothing besides their own notices, which npm installs with the packages.
 */
const PERMISSIVE = new RegExp(
  '^\\(?(MIT|ISC|BSD-[23]-Clause|Apache-2\\.0|BlueOak-1\\.0\\.0|0BSD|MIT-0|Unlicense|' +
    'CC0-1\\.0|Python-2\\.0|AFL-2\\.1|OR|AND| )+\\)?$',
)

test('every distributed package with another licence is named in NOTICE.md', () => {
  const notice = readFileSync(join(ROOT, 'NOTICE.md'), 'utf8')
  const shipped = Object.entries(lock.packages).filter(
    ([place, { dev, link }]) => place.startsWith('node_modules/') && !dev && !link,
  )
  const asking = shipped
    .filter(([, { license = '' }]) => !PERMISSIVE.test(license))
    .map(([place]) => place.replace(/.*node_modules\//, ''))
  // Packages for other machines are covered by the package that chooses among them.
  const named = new Set(
    asking.map((name) => name.replace(/-(android|darwin|freebsd|linux|win32)-.*/, '')),
  )
  expect(named.size).toBeGreaterThan(0)
  expect([...named].filter((name) => !notice.includes(`\`${name}\``))).toEqual([])
})
