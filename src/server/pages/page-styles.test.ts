import { expect, test } from 'vitest'
import { openStyles } from './page-styles.ts'

const PADDED = String.raw`.px-2\.5{padding:2px}`
const RAISED = String.raw`.hover\:raised{@media (hover:hover){&:hover{color:red}}}`
const DIVIDED = ':where(.divide>:not(:last-child)){border:0}'
const TALL = String.raw`.sm\:tall{height:9px}`
const UTILITIES =
  `.mt-2{margin-top:2px}${PADDED}${RAISED}` +
  String.raw`.in-\[\&_p\]{color:red}${DIVIDED}@media (width>=40rem){.sm\:wide{width:9px}${TALL}}`
const SHEET =
  '/*! a license */@layer base{body{margin:0}.bold,.heavy{word-spacing:1px}}@layer ' +
  `utilities{${UTILITIES}}@keyframes rise{from{top:0}}`

const stylesFor = (classes: string, sheet = SHEET) =>
  openStyles(sheet)(`<p class="${classes}"></p>`)

test('a page gets the rules of its classes and all rules with other selectors', () => {
  expect(stylesFor('px-2.5')).toBe(
    `@layer base{body{margin:0}}@layer utilities{${PADDED}}@keyframes rise{from{top:0}}`,
  )
})

test('a page gets the rules of its classes inside conditions and lists of classes', () => {
  expect(stylesFor('sm:tall divide heavy')).toBe(
    '@layer base{body{margin:0}.bold,.heavy{word-spacing:1px}}' +
      `@layer utilities{${DIVIDED}@media (width>=40rem){${TALL}}}@keyframes rise{from{top:0}}`,
  )
})

test('a page has no rules for pointers, the focus and transitions', () => {
  const sheet =
    String.raw`.mt-2{top:2px}.duration-120{a:b}.transition{a:b}:focus-visible{a:b}` +
    String.raw`.mt-2:active,p:hover{a:b}${RAISED}.focus\:mt-2:focus{a:b}`
  expect(stylesFor('mt-2 duration-120 transition hover:raised focus:mt-2', sheet)).toBe(
    '.mt-2{top:2px}',
  )
})

test('a page has no initial values for browsers without @property, but their layer', () => {
  const sheet =
    '@layer properties{@supports (((-webkit-hyphens:none)) and (not (margin-trim:inline))){' +
    '*{--tw-border-style:solid}}}@supports (position-area:bottom){p{top:0}}'
  expect(stylesFor('mt-2', sheet)).toBe(
    '@layer properties{}@supports (position-area:bottom){p{top:0}}',
  )
})

test('a page declares every layer in the order of the sheet, which determines priority', () => {
  const sheet =
    '@layer base{p{top:0}}@layer components{.modal{top:1px}}@layer utilities{.mt-2{top:2px}}'
  expect(stylesFor('mt-2', sheet)).toBe(
    '@layer base{p{top:0}}@layer components{}@layer utilities{.mt-2{top:2px}}',
  )
})

test('a page has the custom properties that its rules or its markup use', () => {
  const sheet =
    '@layer theme{:root{--used:1px;--unused:2px;--drawn:3px}}.mt-2{--set:1;top:var(--used)}' +
    '@property --used{syntax:"*";inherits:false}@property --set{syntax:"*";inherits:false}'
  expect(openStyles(sheet)('<p class="mt-2" style="left:var(--drawn)"></p>')).toBe(
    '@layer theme{:root{--used:1px;--drawn:3px}}.mt-2{top:var(--used)}@property ' +
      '--used{syntax:"*";inherits:false}',
  )
})

test('a page gets the style rules of its own elements, of html and of body', () => {
  const sheet =
    'html{top:0}body{top:1px}p:has(a),h1{top:2px}h2,h3{top:3px}table{top:4px}:where(select) ' +
    'option{top:5px}*,:after{top:7px}'
  expect(openStyles(sheet)('<p class="mt-2">2 &lt;table</p>')).toBe(
    'html{top:0}body{top:1px}p:has(a),h1{top:2px}*,:after{top:7px}',
  )
})

test('the parts of form fields are styled if the page has a field', () => {
  const sheet =
    '::placeholder{opacity:1}::-webkit-datetime-edit-day-field{padding:0}' +
    '::file-selector-button,button{margin:0}::backdrop{top:0}'
  expect(openStyles(sheet)('<p></p>')).toBe('::backdrop{top:0}')
  expect(openStyles(sheet)('<p><button></button></p>')).toBe(
    '::file-selector-button,button{margin:0}::backdrop{top:0}',
  )
  for (const field of ['<input type="date">', '<select></select>', '<textarea></textarea>'])
    expect(openStyles(sheet)(field)).toBe(sheet)
})

test('a class that is escaped in markup is found', () => {
  expect(stylesFor('in-[&amp;_p]')).toContain(String.raw`.in-\[\&_p\]{color:red}`)
})

test('a page without markup has all rules, and a sheet without utilities is unchanged', () => {
  expect(openStyles(SHEET)('')).toBe(SHEET)
  expect(openStyles('body{margin:0}')('<p class="mt-2"></p>')).toBe('body{margin:0}')
})
