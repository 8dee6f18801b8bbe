import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteName } from '#contract/routes.ts'
import type { Context } from '#server/context.ts'
import { showConfig } from './get-config.ts'
import { withData, type InitialData } from './initial-data.ts'
import { sendHtml } from './send-html.ts'

/** The build's own file, for the server alone. */
export const PRERENDER_FILE = 'prerender.js'

type Prerender = (data: InitialData) => Promise<string>

/** The page's scripts and what they preload, which wait in a template until everything has loaded. */
const SCRIPTS = /[ \t]*<(?:script\b[^>]*\bsrc="[^"]*"[^>]*><\/script>|link rel="modulepreload"[^>]*>)\n?/g
const STYLESHEET = /<link rel="stylesheet"[^>]*href="([^"]*)"[^>]*>/g
const AFTER_LOAD = 'addEventListener("load",()=>setTimeout(()=>document.head.append(document.getElementById("after-load").content)))'
const AFTER_LOAD_HASH = `'sha256-${createHash('sha256').update(AFTER_LOAD).digest('base64')}'`

/** Sends the page, or answers false. */
export type Landing = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/**
 * The landing page of a visitor who is not signed in: all of it readable before any script, or without. The first script is asked for after
 * the load event. False where the build has nothing to render with, or rendering fails: the app then draws it in the browser.
 */
export function openLanding(context: Context, { directory, page }: { directory: string; page: string }): Landing {
  const shell = stylesWithin(scriptsAfterLoad(page), directory)
  const file = join(directory, PRERENDER_FILE)
  const loading = existsSync(file) ? loadPrerender(file) : undefined
  let kept: { of: string; html: string } | undefined
  const render = async (): Promise<string | undefined> => {
    const prerender = await loading
    if (prerender === undefined) return undefined
    const data = landingData(context)
    const of = JSON.stringify(data)
    if (kept?.of !== of) kept = { of, html: withData(shell, { data, markup: await prerender(data) }) }
    return kept.html
  }
  return async (request, reply) => {
    const html = await render().catch((error: unknown) => void context.log.error(error, 'the landing page could not be rendered'))
    if (html === undefined) return false
    const policy = String(reply.getHeader('content-security-policy')).replace("script-src 'self'", `script-src 'self' ${AFTER_LOAD_HASH}`)
    void reply.header('content-security-policy', policy)
    await sendHtml(withTheme(html, request.cookies['theme']), { request, reply })
    return true
  }
}

async function loadPrerender(file: string): Promise<Prerender> {
  const { prerenderLanding }: { prerenderLanding: Prerender } = await import(pathToFileURL(file).href)
  return prerenderLanding
}

function scriptsAfterLoad(page: string): string {
  const scripts = page.match(SCRIPTS)?.join('') ?? ''
  const template = `<template id="after-load">\n${scripts}</template>\n<script>${AFTER_LOAD}</script>`
  return page.replace(SCRIPTS, '').replace('</head>', () => `${template}\n</head>`)
}

/** A visitor's first page asks for nothing else before it can be read: the styles are in it. */
function stylesWithin(page: string, directory: string): string {
  return page.replace(STYLESHEET, (_link, address: string) => `<style>${readFileSync(join(directory, address), 'utf8')}</style>`)
}

/** Evidence that is still being computed is left out: the browser asks for it and waits, the page does not. */
function landingData(context: Context): InitialData {
  const evidence = context.evidence.now()
  const answers: Partial<Record<RouteName, unknown>> = { getUser: null, getConfig: showConfig(context) }
  if (evidence.state !== 'computing') answers.getEvidence = evidence
  try {
    answers.getSampleBot = context.sampleBot()
  } catch (error) {
    // A market without a past shows no bot at work.
    context.log.warn(error, 'the sample bot could not be replayed')
  }
  return answers
}

/** The theme that this device has chosen, without a script: a cookie says it. */
function withTheme(html: string, theme: string | undefined): string {
  return theme === 'light' || theme === 'dark' ? html.replace('<html ', `<html data-theme="${theme}" `) : html
}
