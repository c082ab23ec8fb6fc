import { expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { contentsOf, deploymentOfValues, parseValues, ValuesError } from '../chart/chart.ts'
import { deployedObjects } from '../deployed-objects.ts'

const installable = {
  functions: await findFunctions(),
  webhooks: await findWebhooks(),
  version: '1.2.3',
  libraryVersion: '1.2.3',
}
const release = { name: 'a', namespace: 'a', version: '1.2.3', libraryVersion: '1.2.3' }
const vector = 'images:\n- name: csi\n  ref: registry.example.com/csi:v1\n'

const objectsFor = (values: object) => {
  const functions = { 'aws-controlplane': { enabled: true }, 'aws-dnsrecord': { enabled: true } }
  const webhook = { components: { 'provider-aws': { enabled: true }, 'os-gardenlinux': { enabled: true } } }
  const given = { seed: 'a', image: { registry: 'r.example/t' }, functions, webhook, ...values }
  const parsed = parseValues(contentsOf(installable), given)
  return deployedObjects(deploymentOfValues(parsed, installable, release))
}
const textOf = (kind: string, name: string, values: object): string =>
  JSON.stringify(objectsFor(values).find(one => one.kind === kind && one.metadata.name === name))
const mapsIn = (values: object) => objectsFor(values).filter(({ kind }) => kind === 'ConfigMap')

test('the processes that choose images mount the vector, and no other', () => {
  const values = { imageVectorOverwrite: vector }
  const [map] = mapsIn(values)
  const name = map?.metadata.name ?? ''
  expect(map).toMatchObject({ immutable: true, data: { 'images_overwrite.yaml': vector } })
  for (const [kind, process] of [
    ['Service', 'aws-controlplane'],
    ['Deployment', 'webhook'],
  ] as const) {
    const text = textOf(kind, process, values)
    expect(text).toContain(`"configMap":{"name":"${name}"}`)
    expect(text).toContain('/etc/trellis/image-vector/images_overwrite.yaml')
  }
  for (const [kind, process] of [
    ['Service', 'aws-dnsrecord'],
    ['Deployment', 'bridge'],
  ] as const)
    expect(textOf(kind, process, values)).not.toContain('image-vector')
  expect(textOf('Deployment', 'bridge', { ...values, mode: 'seed-process' })).toContain(
    `"configMap":{"name":"${name}"}`,
  )
})

test('a change of the vector changes the name of its ConfigMap, so that pods start with it', () => {
  const names = [vector, vector.replace('v1', 'v2')].map(
    imageVectorOverwrite => mapsIn({ imageVectorOverwrite })[0]?.metadata.name,
  )
  expect(names[0]).toMatch(/^image-vector-[0-9a-f]{8}$/)
  expect(names[1]).not.toBe(names[0])
  expect(mapsIn({})).toEqual([])
})

test('a vector that functions would refuse is refused before it is installed', () => {
  expect(() => objectsFor({ imageVectorOverwrite: 'images: [{tag: v1}]' })).toThrow(ValuesError)
  expect(() => objectsFor({ imageVectorOverwrite: 'images: [{tag: v1}]' })).toThrow(
    /imageVectorOverwrite: .*name/,
  )
})
