import type { Plugin } from 'vite'

/** A list of classes: plain, or with values in it. */
const CLASSES = /\bclassName=(?:"[^"]*"|\{`[^`]*`\})/g

/**
 * Leaves out the line breaks within lists of classes, which only the source needs and every page
 * would carry.
 */
export function leanSource(): Plugin {
  return {
    name: 'lean-source',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/app\/.*\.tsx$/ },
      handler: (code) => ({ code: code.replaceAll(CLASSES, onOneLine), map: null }),
    },
  }
}

function onOneLine(list: string): string {
  return list.replaceAll(/\s+/g, ' ').replaceAll(/(?<=["`]) | (?=["`])/g, '')
}
