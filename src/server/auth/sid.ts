import { isId } from '#server/ids.ts'

/**
 * The content of a session's cookie: the user id, so that the lookup is limited to that user's
 * sessions, and the secret that proves the session. The user id proves nothing.
 */
export type Sid = { userId: string; secret: string }

export const sidText = ({ userId, secret }: Sid): string => `${userId}.${secret}`

/** Undefined if the text is malformed. */
export function readSid(text: string | undefined): Sid | undefined {
  const [userId = '', secret = '', ...rest] = text?.split('.', 3) ?? []
  return isId(userId) && SECRET.test(secret) && rest.length === 0 ? { userId, secret } : undefined
}

/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/
