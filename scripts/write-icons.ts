import { writeFile } from 'node:fs/promises'
import { iconFiles } from './icons-text.ts'

/** Writes the icons of the app into its sources: `npm run icons`. */
for (const [file, text] of iconFiles())
  await writeFile(new URL(`../src/app/ui/frame/${file}`, import.meta.url), text)
