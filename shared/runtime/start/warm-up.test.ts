import { describe, expect, test, vi } from 'vitest'
import { apiVersion } from '../../contract/constants.ts'
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
  test.each(kindNames)('an event of a %s reaches the actuator', async kind => {
    const reconcile = vi.fn(async () => done())
    await warmUp(definitionOf(kind, reconcile), { connection: 'refusing' })
    expect(reconcile).toHaveBeenCalledOnce()
  })

  test('warming up ends even if the step fails', async () => {
    const fail = async () => {
      throw new Error('refused')
    }
    await expect(warmUp(definitionOf('DNSRecord', fail), { connection: 'refusing' })).resolves.toBeUndefined()
  })
})

test.each(kindNames)('the sample of a %s is valid', kind => {
  const { object, byPath } = sampleSeed(kind, 'acme')
  expect(parseObject(kind, object)).toMatchObject({ ok: true })
  const cluster = [...byPath.values()].find(other => other.kind === 'Cluster')
  expect(parseCluster(cluster)).toMatchObject({ ok: true })
})

test('the given objects are reconciled, with Secrets as an API server stores them', async () => {
  const given = [
    { apiVersion, kind: 'BackupEntry', metadata: { name: 'mine' }, spec: { type: 'acme' } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', namespace: 'b' },
      stringData: { key: 'text' },
    },
  ]
  const { object, byPath } = sampleSeed('BackupEntry', 'acme', given)
  expect(object).toMatchObject({ metadata: { name: 'mine', generation: 1 }, spec: { type: 'acme' } })
  expect(byPath.get('/apis/extensions.gardener.cloud/v1alpha1/backupentries/mine')).toEqual(object)
  expect(byPath.get('/api/v1/namespaces/b/secrets/a')).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a', namespace: 'b' },
    data: { key: 'dGV4dA==' },
  })
})
