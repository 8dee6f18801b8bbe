/** `lang` is empty where the message names no language. */
export type ShownNotice = { title: string; body: string; lang: string; tag: string; path: string }

/**
 * The content of a push message. Threat: whoever can send one must not be able to lead users
 * elsewhere: only a path of this app is opened. A message that cannot be read still shows the
 * site's name, since browsers withdraw the permission otherwise.
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

/** Anything else would throw, and show nothing. */
const isLanguage = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]{2}$/.test(value)

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise
