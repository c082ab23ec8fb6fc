import { expect, test } from 'vitest'
import { nodeChanges } from './node-changes.ts'

const pool = (name: string, type = 'small') => ({
  name,
  minimum: 1,
  maximum: 1,
  machine: { type, image: { name: 'linux', version: '1' } },
})
const shoot = (workers: readonly object[], version = '1.34.1', annotations = {}) => ({
  metadata: { annotations },
  spec: { kubernetes: { version }, provider: { workers } },
})

/** Returns the pools that change, and those that were hashed, once for each hash. */
const changesOf = (former: object, next: object) => {
  const hashed: string[] = []
  const inputs = ({ name }: { readonly name: string }) => {
    hashed.push(name)
    return []
  }
  const changes = nodeChanges(inputs, { former, next })
  return { changed: changes.map(change => 'pool' in change && change.pool), hashed }
}

test('only a changed pool is hashed', () => {
  const former = shoot([pool('a'), pool('b')])
  expect(changesOf(former, shoot([pool('a'), pool('b')], '1.34.1', { other: 'x' }))).toEqual({
    changed: [],
    hashed: [],
  })
  expect(changesOf(former, shoot([pool('a'), pool('b', 'large')]))).toEqual({
    changed: ['b'],
    hashed: ['b', 'b'],
  })
})

test('a change of the whole shoot, or a requested operation, changes every pool', () => {
  const former = shoot([pool('a'), pool('b')])
  expect(changesOf(former, shoot([pool('a'), pool('b')], '1.35.0')).changed).toEqual(['a', 'b'])
  const operation = { 'gardener.cloud/operation': 'rotate-ca-start' }
  expect(changesOf(former, shoot([pool('a'), pool('b')], '1.34.1', operation)).changed).toEqual(['a', 'b'])
})
