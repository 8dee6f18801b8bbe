import { expect, test } from 'vitest'
import { isAppleTouch } from './installation.ts'

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/26.0 Safari/605.1.15'

test.each([
  [
    'an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 ' +
      'Mobile/15E148 Safari/604.1',
    5,
    true,
  ],
  ['an iPad that identifies itself as a Mac', MAC, 5, true],
  ['a Mac', MAC, 0, false],
  [
    'an Android phone',
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/153.0.0.0 Mobile Safari/537.36',
    5,
    false,
  ],
])('%s installs from the share menu: %s', (_device, userAgent, maxTouchPoints, isApple) => {
  expect(isAppleTouch({ userAgent, maxTouchPoints })).toBe(isApple)
})
