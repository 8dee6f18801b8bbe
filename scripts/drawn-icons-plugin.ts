import { join } from 'node:path'
import type { Plugin } from 'vite'

const OURS = join(import.meta.dirname, '../src/app/ui/frame/drawn-icon.ts')

/**
 * Icons are drawn by a component of ours. Lucide's, made for settings that nothing here uses, is
 * larger than all icons of a first page. It needs neither the icon's names and size nor the keys of
 * its lines, which do not compress, nor the statement that only reads a field.
 */
export function drawnIcons(): Plugin {
  return {
    name: 'drawn-icons',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
      handler: (code) =>
        code
          .replace(
            "import createLucideIcon from '../createLucideIcon.mjs'",
            `import { drawnIcon as createLucideIcon } from ${JSON.stringify(OURS)}`,
          )
          .replace(/name: "[\w-]+",\s*size: 24,/, '')
          .replaceAll(/,\s*key: "\w+"|,\s*aliases: \[[^\]]*\]/g, '')
          .replace('__iconData.node;', ''),
    },
  }
}
