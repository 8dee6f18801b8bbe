import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { iconFiles } from '../../scripts/icons-text.ts'

test.each(iconFiles())(
  "the app's icons equal lucide-react's in %s; after a change, run npm run icons",
  async (file, text) => {
    const written = await readFile(
      new URL(`../../src/app/ui/frame/${file}`, import.meta.url),
      'utf8',
    )
    expect(written).toBe(text)
  },
)
