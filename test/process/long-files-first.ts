import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from '../durations.json' with { type: 'json' }

const PROJECTS = ['long', 'quick', 'parts', 'pure']
const placeOf = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
const seconds = new Map(Object.entries(durations))

/**
 * Runs long files first, so that no worker ends alone with one of them. Vitest orders files by
 * their last duration, which a clean checkout does not have, and then by size, which says little
 * about duration. Files of one project stay together, because only they share a process.
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
