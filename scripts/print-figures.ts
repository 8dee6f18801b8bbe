import { ruleFigures, shapeFigures, sizeFigures, type Figure } from '../test/tidy/figures.ts'
import { readSources } from '../test/tidy/source.ts'

/** Prints the figures of the code's shape: `npm run house`. */

const sources = readSources()
print('Shape of src, without tests', shapeFigures(sources))
print('Findings of each rule', await ruleFigures(sources))
print('Weight in characters, without indents', sizeFigures(sources))

function print(title: string, figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(([name]) => name.length))
  console.log(`\n${title}`)
  for (const [name, value] of figures) console.log(`  ${name.padEnd(width)}  ${value}`)
}
