import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { configMap } from '../testing/namespace.ts'
import { holdsSame, manifestsOf, readManifests } from './manifests.ts'

const objects = [configMap('second', { mode: '010', switch: 'on' }), configMap('first', { text: 'a\nb' })]

const encoded = (data: Readonly<Record<string, Uint8Array | string>>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))

const inGo = `
---
# Source: chart/templates/configmap.yaml
apiVersion: v1
data:
  switch: "on"
  mode: "010"
kind: ConfigMap
metadata:
  creationTimestamp: null
  namespace: kube-system
  name: second
status: {}
---
# Source: chart/templates/nothing.yaml
---
apiVersion: v1
kind: ConfigMap
metadata: {name: first, namespace: kube-system}
data:
  text: |-
    a
    b
`

test('the documents of a chart retain their order and are YAML with quoted texts', async () => {
  const { chart } = await manifestsOf({ key: 'chart', objects })
  const text = Buffer.from(chart ?? '').toString()
  expect(text.startsWith('---\n{')).toBe(true)
  const documents = text.split(/^---$/m).slice(1)
  expect(documents.map(document => parse(document, { version: '1.1' }))).toEqual(objects)
})

test('characters that YAML forbids are escaped', async () => {
  const odd = [configMap('odd', { text: 'a\u007f\u0085\u2028\ufeff"\\ü' })]
  const { chart } = await manifestsOf({ key: 'chart', objects: odd })
  expect(Buffer.from(chart ?? '').toString()).not.toMatch(/[\u007f-\u009f\u2028\ufeff]/)
  expect(await readManifests(encoded({ chart: chart ?? '' }))).toEqual(odd)
})

test('a key that ends in .br is compressed, and its documents are ordered by kind and name', async () => {
  const data = await manifestsOf({ key: 'data.yaml.br', objects })
  const text = brotliDecompressSync(data['data.yaml.br'] ?? '').toString()
  expect(parseAllDocuments(text).map(one => one.toJS().metadata.name)).toEqual(['first', 'second'])
  expect(await holdsSame(encoded(data), objects)).toBe(true)
})

test('the order of the fields does not change the output', async () => {
  const [one] = objects as [KubernetesObject, KubernetesObject]
  const { metadata, kind, apiVersion, data } = one
  const [now, before] = await Promise.all(
    [one, { data, metadata, kind, apiVersion, spec: undefined, status: null }].map(object =>
      manifestsOf({ key: 'chart', objects: [object as KubernetesObject] }),
    ),
  )
  expect(now).toEqual(before)
})

test.each([
  ['as we write them', async () => encoded(await manifestsOf({ key: 'chart', objects }))],
  [
    'in another order',
    async () => encoded(await manifestsOf({ key: 'chart', objects: objects.toReversed() })),
  ],
  ['as a chart of Helm, in another style', async () => encoded({ other: inGo })],
  ['compressed by another program', async () => encoded({ 'data.yaml.br': brotliCompressSync(inGo) })],
])('manifests are equal: %s', async (_, data) => {
  expect(await holdsSame(await data(), objects)).toBe(true)
})

test.each([
  ['one object less', { a: inGo.slice(0, inGo.lastIndexOf('---')) }],
  ['one object more', { a: inGo, b: 'kind: Other' }],
  ['another value', { a: inGo.replace('"on"', '"off"') }],
  ['no text but a boolean', { a: inGo.replace('"on"', 'on') }],
  ['no text but a number', { a: inGo.replace('"010"', '010') }],
  ['a field more', { a: inGo.replace('name: second', 'name: second\n  labels: {a: b}') }],
  ['nothing that can be read', { a: `${inGo}\n---\n{` }],
  ['an uncompressed text', { 'a.br': inGo }],
  ['nothing', {}],
])('manifests with %s are different', async (_, data) => {
  expect(await holdsSame(encoded(data), objects)).toBe(false)
})

test('an empty map differs from none, because an empty selector selects everything', async () => {
  const policy = { apiVersion: 'v1', kind: 'NetworkPolicy', metadata: { name: 'one' }, spec: {} }
  const selecting = { ...policy, spec: { podSelector: {} } }
  expect(await holdsSame(encoded(await manifestsOf({ key: 'a', objects: [policy] })), [selecting])).toBe(
    false,
  )
})

test('an unreasonably large content is not decompressed', async () => {
  const bomb = brotliCompressSync(Buffer.alloc(17 * 1024 * 1024, ' '))
  await expect(readManifests({ 'data.yaml.br': bomb.toString('base64') })).rejects.toThrow(RangeError)
})
