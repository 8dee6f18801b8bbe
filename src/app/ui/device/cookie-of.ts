/** The value of one of this device's settings that is kept in a cookie. */
export function cookieOf(name: string): string | undefined {
  return document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}
