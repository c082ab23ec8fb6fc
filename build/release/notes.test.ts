import { expect, test } from 'vitest'
import { releaseNotes } from './notes.ts'

const digest = `sha256:${'a'.repeat(64)}`
const notes = releaseNotes({
  version: '1.2.3',
  revision: 'abc',
  changes: '### Added\n\n- **Console**: [a page](docs/console.md), [elsewhere](https://example.org/a).',
  images: { bridge: `registry.example/trellis/bridge@${digest}` },
  charts: [{ name: 'trellis', reference: `registry.example/trellis/charts/trellis@${digest}` }],
  library: 'trellis-1.2.3.tgz',
  verifyArgs: ['--key', 'cosign.pub', '--certificate-identity-regexp', 'a b'],
})

test('the notes of a release begin with its changes, with links that work on every page', () => {
  expect(notes).toMatch(
    /^### Added\n\n- \*\*Console\*\*: \[a page\]\(https:\/\/\S+\/v1\.2\.3\/docs\/console\.md\), /,
  )
  expect(notes).toContain('[elsewhere](https://example.org/a)')
})

test('the notes of a release list what was built, by digest', () => {
  expect(notes).toContain('Built from commit abc.')
  expect(notes).toContain(`| chart trellis | \`registry.example/trellis/charts/trellis@${digest}\` |`)
  expect(notes).toContain(`| image bridge | \`registry.example/trellis/bridge@${digest}\` |`)
})

test('the notes of a release have commands that verify it, for a shell', () => {
  expect(notes).toContain(
    `cosign verify --key cosign.pub --certificate-identity-regexp 'a b' registry.example/trellis/charts/trellis@${digest}\n`,
  )
})
