/**
 * Selects the styles with which a page's markup is first painted. The app loads the complete sheet
 * before it hydrates.
 */
type PageStyles = (markup: string) => string

/**
 * `inner`: rules of a condition or a layer. `subjects`: classes ('.mt-2') and elements without
 * which the rule selects nothing.
 */
type Rule = { text: string; head: string; inner?: readonly Rule[]; subjects: readonly string[] }

/**
 * Rules for pointers, the focus and changes, which a first paint does not have, and initial values
 * for browsers without `@property`.
 */
const LATER =
  /(?<!\\):(?:hover|active|focus)|^\.(?:hover|transition|duration)\b|^@supports \(+-webkit-hyphens/

const COMMENT = /\/\*[^]*?\*\//g
/** Conditions and layers, whose rules are filtered one by one. */
const NESTS = /^@(?:layer|media|supports|container|starting-style)\b/

/** The class, as escaped in the style sheet, or the element that a selector begins with. */
const SUBJECT = /^(?::where\()?(\.(?:\\.|[\w-])+|[a-z][\w-]*)/
/** Pseudo-elements that only form fields have. */
const PART_OF_FIELD =
  /^::(?:placeholder|file-selector|-webkit-(?:search|date|calendar|inner|outer))/
const CLASSES = /class="([^"]*)"/g
const ELEMENTS = /<([a-z][\w-]*)/g
const FIELDS = ['input', 'select', 'textarea']
/** Elements of every page, around its markup. */
const AROUND = ['html', 'body']
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/** Names of custom properties: first where they are used, then where they are registered or set. */
const USED_NAME = /var\((--[\w-]+)/g
const NAMED = /@property (--[\w-]+)\{[^}]*\}|(?<=[{;])(--[\w-]+):[^;{}]*;?/g

export function openStyles(sheet: string): PageStyles {
  const rules = rulesOf(sheet.replaceAll(COMMENT, ''))
  return (markup) => {
    if (markup === '') return sheet
    const styles = usedOf(rules, subjectsOf(markup))
    const names = new Set([...`${styles}${markup}`.matchAll(USED_NAME)].map(([, name]) => name))
    return styles.replaceAll(NAMED, (text, property?: string, variable?: string) =>
      names.has(property ?? variable) ? text : '',
    )
  }
}

function usedOf(rules: readonly Rule[], present: ReadonlySet<string>): string {
  const texts = rules.map(({ text, head, inner, subjects }) => {
    if (subjects.length > 0 && !subjects.some((name) => present.has(name))) return ''
    if (!inner) return text
    const used = usedOf(inner, present)
    // Keeps empty layers, because layers rank in the order in which a page first names them.
    return used === '' && !head.startsWith('@layer') ? '' : `${head}{${used}}`
  })
  return texts.join('')
}

function rulesOf(css: string): Rule[] {
  const rules: Rule[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1
    if (css[at] === '}') depth -= 1
    if (depth > 0 || (css[at] !== '}' && css[at] !== ';')) continue
    const rule = ruleOf(css.slice(from, at + 1).trim())
    if (!LATER.test(rule.head)) rules.push(rule)
    from = at + 1
  }
  return rules
}

function ruleOf(text: string): Rule {
  const [head = ''] = text.split('{', 1)
  if (text.endsWith('}') && NESTS.test(head))
    return { text, head, inner: rulesOf(text.slice(head.length + 1, -1)), subjects: [] }
  // A list of selectors is kept if one of its selectors matches.
  const each = head.split(/(?<!\\),/).map((selector) => subjectsIn(selector.trim()))
  return { text, head, subjects: each.every((subjects) => subjects.length > 0) ? each.flat() : [] }
}

function subjectsIn(selector: string): readonly string[] {
  if (PART_OF_FIELD.test(selector)) return FIELDS
  const subject = SUBJECT.exec(selector)?.[1]?.replaceAll(/\\(.)/g, '$1')
  return subject === undefined ? [] : [subject]
}

function subjectsOf(markup: string): ReadonlySet<string> {
  const lists = [...markup.matchAll(CLASSES)].map(([, list = '']) =>
    list.replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity),
  )
  const classes = lists.flatMap((list) => list.split(/\s+/)).map((name) => `.${name}`)
  const elements = [...markup.matchAll(ELEMENTS)].map(([, name = '']) => name)
  return new Set([...AROUND, ...elements, ...classes])
}
