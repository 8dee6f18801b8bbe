/** `lang`: empty if the message declares no language. */
export type ShownNotice = { title: string; body: string; lang: string; tag: string; path: string }

/**
 * The content of a push message. Threat: whoever can send one could lead users elsewhere, so only
 * paths of this app are opened. A message that cannot be parsed still shows the site's name,
 * because browsers withdraw the permission if nothing is shown.
 */
export function readPushMessage(text: string, site: string): ShownNotice {
  const { title, text: body, lang, tag, path } = fieldsOf(text)
  const isOwn = typeof path === 'string' && /^\/(?![/\\])/.test(path)
  return {
    title: textOr(title, site),
    body: textOr(body, ''),
    lang: isLanguage(lang) ? lang : '',
    tag: textOr(tag, 'notice'),
    path: isOwn ? path : '/notices',
  }
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(text)
    return typeof fields === 'object' && fields !== null ? { ...fields } : {}
  } catch {
    return {}
  }
}

/** Checked, because any other value would throw, and nothing would be shown. */
const isLanguage = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]{2}$/.test(value)

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise
