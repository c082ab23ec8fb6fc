import { expect, test } from 'vitest'
import { parseReference, shareRegistry } from './reference.ts'

const digest = `sha256:${'0'.repeat(64)}`

test.each([
  [`gcr.io/distroless/node:nonroot@${digest}`, ['gcr.io', 'distroless/node', digest]],
  ['127.0.0.1:5000/acme/bridge:1.2.3', ['127.0.0.1:5000', 'acme/bridge', '1.2.3']],
  ['localhost/bridge', ['localhost', 'bridge', 'latest']],
  ['docker.io/library/node:24', ['docker.io', 'library/node', '24']],
])('%s is an image in a registry', (text, [host, repository, version]) => {
  expect(parseReference(text)).toEqual({ kind: 'registry', host, repository, version })
})

test.each([
  [`ocidir:///tmp/base@${digest}`, '/tmp/base', digest],
  ['ocidir://base:node', 'base', 'node'],
])('%s is an image in a folder', (text, folder, version) => {
  expect(parseReference(text)).toEqual({ kind: 'layout', folder, version })
})

test.each(['node:24', 'library/node', 'bridge'])('%s names no registry', text => {
  expect(parseReference(text)).toBeUndefined()
})

test.each([
  [`127.0.0.1:5000/base@${digest}`, true],
  [`gcr.io/distroless/node@${digest}`, false],
  [`127.0.0.1:5001/base@${digest}`, false],
  ['ocidir:///tmp/base', false],
])('%s is in the registry 127.0.0.1:5000: %s', (base, expected) => {
  expect(shareRegistry(base, '127.0.0.1:5000/acme/any')).toBe(expected)
})
