import { dirname, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Walks through all screens take two minutes or more. */
const WALKS = ['test/browser/accessibility.test.ts', 'test/browser/german.test.ts']

/**
 * Begins with the long files, so that no worker is left alone with one at the end: the walks, then
 * `test` with its folders mixed evenly, so that tests that kill servers, tests in browsers and
 * tests that wait for PostgreSQL run beside each other, then the short files of `src`. Vitest goes
 * by how long files took the last time, of which a clean checkout knows nothing, and then by their
 * size, which says little: the walks are short files.
 */
export class LongFilesFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const pathOf = ({ moduleId, project }: TestSpecification) =>
      relative(project.config.root, moduleId)
    const paths = files.map(pathOf)
    const placeOf = (file: TestSpecification): number => {
      const path = pathOf(file)
      if (WALKS.includes(path)) return 0
      if (path.startsWith('src')) return 2
      const folder = paths.filter((other) => dirname(other) === dirname(path))
      return (folder.indexOf(path) + 1) / (folder.length + 1)
    }
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)))
  }
}
