import { expect, test } from 'vitest'
import { configMap } from '../testing/namespace.ts'
import { compareManifests, rememberingComparison } from './compare-manifests.ts'
import { manifestsOf } from './manifests.ts'

const yaml = (a: string) => ({
  chart: btoa(`kind: ConfigMap
apiVersion: v1
metadata: {name: first, namespace: kube-system}
data: {a: '${a}'}
`),
})
const desired = async (a: string, key = 'objects') => {
  const objects = [{ ...configMap('first'), data: { a } }]
  return { objects, data: await manifestsOf({ key, objects }) }
}

/** Counts the real comparisons. */
const counting = (most?: number) => {
  let read = 0
  const compare = rememberingComparison(most, (...contents) => {
    read++
    return compareManifests(...contents)
  })
  return { compare, read: () => read }
}

test('equal contents are not compared again', async () => {
  const { compare, read } = counting()
  for (let nth = 0; nth < 3; nth++) expect(await compare(yaml('1'), await desired('1'))).toBe(true)
  expect(read()).toBe(1)
})

test('a changed content on either side is compared again', async () => {
  const { compare, read } = counting()
  expect(await compare(yaml('1'), await desired('1'))).toBe(true)
  expect(await compare(yaml('2'), await desired('1'))).toBe(false)
  expect(await compare(yaml('1'), await desired('2'))).toBe(false)
  expect(read()).toBe(3)
})

test('the same bytes under a key with another encoding are another content', async () => {
  const { compare } = counting()
  expect(await compare(yaml('1'), await desired('1'))).toBe(true)
  expect(await compare({ 'chart.br': yaml('1').chart }, await desired('1'))).toBe(false)
})

test('different contents are compared each time, because they are about to be replaced', async () => {
  const { compare, read } = counting()
  for (let nth = 0; nth < 2; nth++) expect(await compare(yaml('2'), await desired('1'))).toBe(false)
  expect(read()).toBe(2)
})

test('the cache holds the most recently used contents up to its limit', async () => {
  const { compare, read } = counting(2)
  const [one, two, three] = ['1', '2', '3'].map(a => async () => compare(yaml(a), await desired(a)))
  for (const next of [one, two, one, three, one]) await next?.()
  expect(read()).toBe(3)
  await two?.()
  expect(read()).toBe(4)
})
