import { expect, test } from 'vitest'
import { imageOptions } from './image-options.ts'
import { readBase } from './images.ts'

const defaults = { base: `gcr.io/base@sha256:${'0'.repeat(64)}`, version: '1.2.3' }

test('images are for Linux, on the base of the file, with the version as their tag, and are not pushed by default', () => {
  expect(imageOptions({}, defaults)).toMatchObject({
    base: defaults.base,
    platform: expect.stringMatching(/^linux\/(?:amd64|arm64)$/),
    push: false,
    tag: '1.2.3',
  })
})

test('the base in the file has a digest', async () => {
  expect(imageOptions({}, { ...defaults, base: await readBase() })).toMatchObject({
    base: expect.stringContaining('@sha256:'),
  })
})

test.each([
  [
    { base: 'gcr.io/distroless/nodejs24-debian13:nonroot' },
    'the base image gcr.io/distroless/nodejs24-debian13:nonroot has no digest',
  ],
  [{ push: true }, '--push needs --registry'],
  [{ registry: 'acme/trellis' }, '--registry: expected a host and a path'],
  [{ registry: 'https://ghcr.io/acme' }, '--registry: expected a host and a path without a scheme'],
  [{ registry: 'ghcr.io' }, '--registry: expected a host and a path'],
  [{ registry: 'ghcr.io/acme/' }, '--registry: expected a host and a path'],
  [{ registry: 'ghcr.io/Acme/trellis' }, '--registry: expected a host and a path in lower case'],
  [{ registry: 'ghcr.io/acme/trellis:1.2.3' }, '--registry: expected a host and a path'],
  [{ registry: 'ghcr.io:x/acme' }, '--registry: expected a host and a path'],
  [{ registry: 'a.b/acme', tag: 'v1/2' }, '--tag: expected letters, digits, dots'],
  [{ tag: '' }, '--tag: expected letters'],
  [{ platform: 'darwin/arm64' }, '--platform: expected a platform such as linux/amd64, found darwin/arm64'],
])('%j is refused: %s', (flags, message) => {
  expect(() => imageOptions(flags, defaults)).toThrow(message)
})

test.each([
  ['ghcr.io/acme'],
  ['127.0.0.1:5000/trellis'],
  ['localhost:5000/a/b'],
  ['registry:5000/a__b'],
  ['[::1]:5000/a'],
])('%s is a registry', registry => {
  expect(imageOptions({ registry, push: true }, defaults)).toMatchObject({ registry, push: true })
})
