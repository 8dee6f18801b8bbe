/** The styles of a page, with only those of Tailwind's utilities that its markup uses. The app loads the complete sheet before it hydrates. */
export type PageStyles = (markup: string) => string

const UTILITIES = '@layer utilities{'
const CLASSES = /class="([^"]*)"/g

/** The class that a rule selects, as escaped in the style sheet. */
const SUBJECT = /^\.((?:\\.|[\w-])+)/
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

export function openStyles(sheet: string): PageStyles {
  const begin = sheet.indexOf(UTILITIES) + UTILITIES.length
  if (begin < UTILITIES.length) return () => sheet
  const rules = rulesFrom(sheet, begin)
  const end = begin + rules.join('').length
  const named = rules.map((rule) => ({ rule, name: SUBJECT.exec(rule)?.[1]?.replaceAll(/\\(.)/g, '$1') }))
  return (markup) => {
    if (markup === '') return sheet
    const classes = classesOf(markup)
    const used = named.flatMap(({ rule, name }) => (name === undefined || classes.has(name) ? [rule] : []))
    return sheet.slice(0, begin) + used.join('') + sheet.slice(end)
  }
}

/** The rules of the block that begins at `begin`, each with its nested rules. */
function rulesFrom(sheet: string, begin: number): string[] {
  const rules: string[] = []
  let depth = 0
  let from = begin
  for (let at = begin; depth >= 0 && at < sheet.length; at += 1) {
    if (sheet[at] === '{') depth += 1
    if (sheet[at] === '}') depth -= 1
    if (sheet[at] !== '}' || depth !== 0) continue
    rules.push(sheet.slice(from, at + 1))
    from = at + 1
  }
  return rules
}

function classesOf(markup: string): ReadonlySet<string> {
  const lists = [...markup.matchAll(CLASSES)].map(([, list = '']) => list.replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity))
  return new Set(lists.flatMap((list) => list.split(/\s+/)))
}
