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

/** How often contents were really read. */
const counting = (most?: number) => {
  let read = 0
  const compare = rememberingComparison(most, (...contents) => {
    read++
    return compareManifests(...contents)
  })
  return { compare, read: () => read }
}

test('what was found to say the same is not read again', async () => {
  const { compare, read } = counting()
  for (let nth = 0; nth < 3; nth++) expect(await compare(yaml('1'), await desired('1'))).toBe(true)
  expect(read()).toBe(1)
})

test('another content is read, on either side', async () => {
  const { compare, read } = counting()
  expect(await compare(yaml('1'), await desired('1'))).toBe(true)
  expect(await compare(yaml('2'), await desired('1'))).toBe(false)
  expect(await compare(yaml('1'), await desired('2'))).toBe(false)
  expect(read()).toBe(3)
})

test('the same bytes under a key that says how they are read are another content', async () => {
  const { compare } = counting()
  expect(await compare(yaml('1'), await desired('1'))).toBe(true)
  expect(await compare({ 'chart.br': yaml('1').chart }, await desired('1'))).toBe(false)
})

test('what differs is read each time: it is about to be replaced', async () => {
  const { compare, read } = counting()
  for (let nth = 0; nth < 2; nth++) expect(await compare(yaml('2'), await desired('1'))).toBe(false)
  expect(read()).toBe(2)
})

test('remembers so many, those that were used last', async () => {
  const { compare, read } = counting(2)
  const [one, two, three] = ['1', '2', '3'].map(a => async () => compare(yaml(a), await desired(a)))
  for (const next of [one, two, one, three, one]) await next?.()
  expect(read()).toBe(3)
  await two?.()
  expect(read()).toBe(4)
})
