import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { iconsText } from '../scripts/icons-text.ts'

test("the app's icons equal lucide-react's; after a change, run npm run icons", async () => {
  const written = await readFile(new URL('../src/app/ui/frame/icons.ts', import.meta.url), 'utf8')
  expect(written).toBe(iconsText())
})
