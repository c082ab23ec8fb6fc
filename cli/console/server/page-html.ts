import { createHash } from 'node:crypto'

/** The program of the page, as `build/console` makes it. */
export interface ConsolePage {
  readonly script: string
  readonly style: string
}

/** Data of an export: chunks by name, each gzip as base64. */
export type EmbeddedChunks = Readonly<Record<string, string>>

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The page executes its own script only, loads nothing from elsewhere, and turns no text into markup. `frame-ancestors`
 * works only as a header.
 */
export const contentPolicy = ({ script, style }: ConsolePage, connect: "'self'" | "'none'"): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** Returns the page as one file. With chunks, it needs no server. */
export const pageHtml = (page: ConsolePage, chunks?: EmbeddedChunks): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(page, chunks === undefined ? "'self'" : "'none'")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="dark light">
<title>Trellis console</title>
<style>${page.style}</style>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
${Object.entries(chunks ?? {})
  .map(
    ([name, data]) =>
      `<script type="application/octet-stream" data-chunk="${escaped(name)}">${data}</script>\n`,
  )
  .join('')}<script>${page.script}</script>
</body>
</html>
`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
