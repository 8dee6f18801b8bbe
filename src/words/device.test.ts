import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 ` +
      'Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} Version/26.0 ` +
      'Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} CriOS/141.0.0.0 ` +
      'Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) ${APPLE} FxiOS/143.0 Mobile/15E148 Safari/604.1`,
    'Firefox on iPad',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 ` +
      'Edg/141.0.0.0',
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 ` +
      'OPR/124.0.0.0',
    'Opera on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`,
    'Chrome on ChromeOS',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`,
    'Chrome on Mac',
  ],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/141.0.0.0 Safari/537.36`,
    'Chrome on Linux',
  ],
])('%s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})

const HINTS = '"Not)A;Brand";v="8", "Chromium";v="141"'

test.each([
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/141.0.0.0 Mobile ` +
      `Safari/537.36\n${HINTS}, "Brave";v="141"\n"Android"`,
    'Brave on Android',
  ],
  [`curl-like\n${HINTS}, "Google Chrome";v="141"\n"macOS"`, 'Chrome on Mac'],
  [`\n${HINTS}\n"Chrome OS"`, 'Chrome on ChromeOS'],
  [`\n${HINTS}, "Microsoft Edge";v="141"\n"Windows"`, 'Edge on Windows'],
  [`\n\n"Linux"`, 'Unknown browser on Linux'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} GSA/380.0 Mobile/15E148 ` +
      'Safari/604.1',
    'Google app on iPhone',
  ],
])('with client hints %j is %s', (described, device) => {
  expect(deviceOf(described)).toBe(device)
})

test('an iPad that reports itself as a Mac is not taken for one', () => {
  expect(
    deviceOf(
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/26.0 Safari/605.1.15`,
    ),
  ).toBe('Safari on Mac or iPad')
})

test.each(['', 'curl/8.5.0', 'This device (trusted)', '<b>bank</b>'])(
  '%j contains nothing that we could show',
  (userAgent) => {
    expect(deviceOf(userAgent)).toBe('Unknown device')
  },
)

test('an unknown browser is shown by its system, with that note', () => {
  expect(deviceOf('MyApp/1.0 (Linux; Android 14)')).toBe('Unknown browser on Android')
})
