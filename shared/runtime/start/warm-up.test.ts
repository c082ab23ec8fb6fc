import { describe, expect, test, vi } from 'vitest'
import { type KindName, kindNames } from '../../contract/kinds.ts'
import { parseCluster, parseObject } from '../../contract/parse.ts'
import { done } from '../../lifecycle/lifecycle.ts'
import { defineFunction } from '../define-function.ts'
import { sampleSeed } from './sample-object.ts'
import { warmUp } from './warm-up.ts'

const definitionOf = (kind: KindName, reconcile: () => Promise<ReturnType<typeof done>>) =>
  defineFunction({
    name: 'acme-sample',
    kind,
    type: 'acme',
    create: (_, { connection }) => {
      expect(connection).toBe('refusing')
      return { reconcile, remove: async () => done() }
    },
  })

describe('warmUp', () => {
  test.each(kindNames)('brings an event of a %s as far as the actuator', async kind => {
    const reconcile = vi.fn(async () => done())
    await warmUp(definitionOf(kind, reconcile), 'refusing')
    expect(reconcile).toHaveBeenCalledTimes(2)
  })

  test('ends as well where the step fails, and gives back what it has taken', async () => {
    const { any } = AbortSignal
    const { now } = Date
    const fail = async () => {
      throw new Error('refused')
    }
    await warmUp(definitionOf('DNSRecord', fail), 'refusing')
    expect([AbortSignal.any, Date.now]).toEqual([any, now])
  })
})

test.each(kindNames)('the sample of a %s is one', kind => {
  const { object, byPath } = sampleSeed(kind, 'acme')
  expect(parseObject(kind, object)).toMatchObject({ ok: true })
  const cluster = [...byPath.values()].find(other => other.kind === 'Cluster')
  expect(parseCluster(cluster)).toMatchObject({ ok: true })
})
