import { expect, test } from 'vitest'
import type { WorkerPool } from '../contract/objects.ts'
import { newSeed } from './testing/seed.ts'

const poolsOf = (count: number): readonly Partial<WorkerPool>[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `p${i}`,
    zones: ['z1', 'z2', 'z3'],
    minimum: 3,
    maximum: 6,
    userDataSecretRef: { name: `u${i}`, key: 'k' },
  }))

/** The Go extension needs 397 requests for 30 pools of 3 zones (docs/contract/workers.md#measured). */
test('an unchanged Worker of 90 deployments costs at most 59 requests, four of them writes', async () => {
  const pools = poolsOf(30)
  const seed = await newSeed({ pools })
  for (const { userDataSecretRef } of pools)
    await seed.makeSecret(String(userDataSecretRef?.name), { k: btoa('x') })
  await seed.step()
  for (const { metadata } of await seed.machineObjects('MachineDeployment')) {
    const className = (await seed.deploymentOf(metadata.name)).spec?.template.spec?.class?.name
    await seed.make('MachineSet', `${metadata.name}-set`, {
      metadata: { labels: { name: metadata.name } },
      spec: { template: { spec: { class: { kind: 'MachineClass', name: className } } } },
    })
    const counts = { replicas: 1, updatedReplicas: 1, availableReplicas: 1, observedGeneration: 1 }
    const conditions = [{ type: 'Available', status: 'True' }]
    await seed.change('MachineDeployment', metadata.name, { status: { ...counts, conditions } }, 'status')
  }
  await seed.clock.advance(10_000)
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  await seed.reconcile()
  seed.requests.length = 0
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  expect(seed.requests.filter(call => !/^(get|list) /.test(call))).toEqual([
    'patch workers',
    'patch workers/status',
    'patch workers/status',
    'patch workers/status',
  ])
  expect(seed.requests.length).toBeLessThanOrEqual(59)
})
