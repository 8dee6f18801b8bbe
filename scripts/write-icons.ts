import { writeFile } from 'node:fs/promises'
import { iconsText } from './icons-text.ts'

/** Writes the icons of the app into its sources: `npm run icons`. */
await writeFile(new URL('../src/app/ui/frame/icons.ts', import.meta.url), iconsText())
