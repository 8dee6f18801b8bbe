import { expect, test } from 'vitest'
import { openStyles } from './page-styles.ts'

const SHEET = String.raw`@layer base{body{margin:0}}@layer utilities{.mt-2{margin-top:2px}.px-2\.5{padding:2px}.hover\:raised{@media (hover:hover){&:hover{color:red}}}.in-\[\&_p\]{color:red}:where(.divide>:not(:last-child)){border:0}@media (width>=40rem){.sm\:wide{width:9px}}}@keyframes rise{from{top:0}}`

test('a page has the rules of its classes, nested rules included, and every rule that selects more than a class', () => {
  expect(openStyles(SHEET)('<p class="px-2.5 hover:raised"></p>')).toBe(
    String.raw`@layer base{body{margin:0}}@layer utilities{.px-2\.5{padding:2px}.hover\:raised{@media (hover:hover){&:hover{color:red}}}:where(.divide>:not(:last-child)){border:0}@media (width>=40rem){.sm\:wide{width:9px}}}@keyframes rise{from{top:0}}`,
  )
})

test('a class that is escaped in markup is found', () => {
  expect(openStyles(SHEET)('<p class="in-[&amp;_p]"></p>')).toContain(String.raw`.in-\[\&_p\]{color:red}`)
})

test('a page without markup has all rules, and a sheet without utilities is unchanged', () => {
  expect(openStyles(SHEET)('')).toBe(SHEET)
  expect(openStyles('body{margin:0}')('<p class="mt-2"></p>')).toBe('body{margin:0}')
})
