import type { PushedChart } from './artifacts/release-charts.ts'

export interface NotesOptions {
  readonly version: string
  readonly revision: string
  /** The section of the changelog. */
  readonly changes: string
  /** References with digests, by program. */
  readonly images: Readonly<Record<string, string>>
  readonly charts: readonly PushedChart[]
  /** The file of the npm package. */
  readonly library: string
  /** The arguments of `cosign verify`. */
  readonly verifyArgs: readonly string[]
}

/** Returns the text of a release page, as Markdown. */
export const releaseNotes = ({
  version,
  revision,
  changes,
  images,
  charts,
  library,
  verifyArgs,
}: NotesOptions): string => `${withAddresses(changes, version)}

## Files

Built from commit ${revision}.

| what | reference |
|---|---|
| npm package | \`${library}\` |
${charts.map(({ name, reference }) => `| chart ${name} | \`${reference}\` |\n`).join('')}${Object.entries(
  images,
)
  .map(([program, reference]) => `| image ${program} | \`${reference}\` |\n`)
  .join('')}
## Verify

\`\`\`sh
sha256sum --check SHA256SUMS
cosign verify-blob ${quoted(verifyArgs)} --bundle SHA256SUMS.sigstore.json SHA256SUMS
cosign verify ${quoted(verifyArgs)} ${charts[0]?.reference ?? ''}
cosign verify-attestation ${quoted(verifyArgs)} --type cyclonedx ${Object.values(images)[0] ?? ''}
\`\`\`

Version ${version}: [how to install and verify](${sources}/v${version}/docs/releases.md).
`

const sources = 'https://github.com/trellis-gardener/trellis/blob'

/** Paths of the repository do not work on another page. */
const withAddresses = (markdown: string, version: string): string =>
  markdown.replaceAll(/\]\((?![a-z]+:|#)/g, `](${sources}/v${version}/`)

const quoted = (args: readonly string[]): string =>
  args.map(arg => (/^[\w./:@=-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')
