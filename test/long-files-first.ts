import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from './durations.json' with { type: 'json' }

const PROJECTS = ['long', 'quick', 'parts', 'pure']
const placeOf = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
const seconds = new Map(Object.entries(durations))

/**
 * Begins with the long files, so that no worker is left alone with one at the end. Vitest goes by
 * how long files took the last time, of which a clean checkout knows nothing, and then by their
 * size, which says little. Files of one project stay together: only they share a process.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId, project }: TestSpecification) =>
      seconds.get(relative(project.config.root, moduleId)) ?? 0
    return files
      .toSorted((one, other) => secondsOf(other) - secondsOf(one))
      .toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
