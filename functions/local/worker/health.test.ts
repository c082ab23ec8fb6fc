import { describe, expect, test } from 'vitest'
import { newHealthSeed } from '../../../shared/health/testing/health-seed.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { workerPermissions } from '../../../shared/worker/worker.ts'
import { workerHealth } from './health.ts'

const node = (name: string, status?: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: {
    conditions: status === undefined ? [] : [{ type: 'Ready', status, reason: 'Late', message: 'no sign' }],
  },
})

const newSeed = (nodes?: readonly KubernetesObject[]) =>
  newHealthSeed({
    kind: 'Worker',
    definition: workerHealth,
    permissions: workerPermissions,
    ...(nodes && {
      openShoot: async () => ({
        kubernetes: { list: async () => ({ items: nodes, resourceVersion: '1' }) } as never,
        close: () => undefined,
      }),
    }),
  })

const available = { Available: ['True', 'Enough', 'all there'] } as const

describe('EveryNodeReady', () => {
  // The recording has `Secret "gardener" not found`. This text is the same for every check that reads a shoot.
  test('is unknown if no kubeconfig for the shoot exists, as recorded', async () => {
    const seed = await newSeed()
    expect(await seed.checked()).toMatchObject([
      {
        type: 'EveryNodeReady',
        status: 'Unknown',
        reason: 'ConditionCheckError',
        message: 'failed to execute 1 health check: secrets "gardener" not found.',
      },
    ])
  })

  test('is true if every machine is a ready node', async () => {
    const seed = await newSeed([node('a', 'True'), node('b', 'True')])
    await seed.machineDeployment('p1', available)
    expect(await seed.checked()).toMatchObject([{ type: 'EveryNodeReady', status: 'True' }])
  })

  test.each<[string, readonly KubernetesObject[], object]>([
    [
      'not ready',
      [node('a', 'True'), node('b', 'Unknown')],
      { status: 'False', message: 'node "b" is not ready: no sign (Late).' },
    ],
    [
      'new',
      [node('a', 'True'), node('b')],
      { status: 'False', message: 'node "b" is not ready: it has not reported its state yet.' },
    ],
    [
      'still to come',
      [],
      {
        status: 'Progressing',
        message: 'not enough worker nodes registered in the cluster (0/1).',
      },
    ],
  ])('reports a node that is %s', async (_, nodes, condition) => {
    const seed = await newSeed(nodes)
    await seed.machineDeployment('p1', available)
    expect(await seed.checked()).toMatchObject([condition])
  })

  test('reports failed machines before nodes', async () => {
    const seed = await newSeed([node('a', 'False')])
    await seed.machineDeployment('p1', { Available: ['False', 'Late', 'too late'] })
    expect(await seed.checked()).toMatchObject([
      { message: expect.stringMatching(/^machine deployment "p1" .* is unhealthy: too late \(Late\)/) },
    ])
  })
})
