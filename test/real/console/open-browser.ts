import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

export interface OpenBrowser {
  readonly context: BrowserContext
  /** Opens a page. Everything that the browser reports about it is in `problems`. */
  readonly open: (url: string) => Promise<Page>
  /** Errors of scripts, refused loads, and violations of the content security policy. */
  readonly problems: readonly string[]
  /** Requests that left the machine. */
  readonly strangers: readonly string[]
  readonly close: () => Promise<void>
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-lcd-text',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts a browser with an empty profile. */
export const openBrowser = async (
  executablePath: string,
  { colorScheme = 'dark' }: { readonly colorScheme?: 'dark' | 'light' } = {},
): Promise<OpenBrowser> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-browser-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: flags,
    colorScheme,
    viewport: { width: 1400, height: 860 },
  })
  const problems: string[] = []
  const strangers: string[] = []
  context.on('request', request => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|file:|data:|blob:)/.test(request.url())) strangers.push(request.url())
  })
  return {
    context,
    problems,
    strangers,
    open: async url => {
      const page = await context.newPage()
      page.on('pageerror', error => problems.push(error.message))
      page.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
      })
      await page.goto(url)
      return page
    },
    close: async () => {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
