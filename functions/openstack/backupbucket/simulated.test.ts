import { expect, test } from 'vitest'
import type { SimulatedOpenStack } from '../../../sandbox/providers/openstack/simulator/openstack.ts'
import { createSteppedSeed, functionPromises } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { simulatedCloud, simulatedSecret } from '../provider/testing/simulated-cloud.ts'
import { definition } from './function.ts'

const name = 'cloud--openstack--plain'
const secretRef = { name: 'backupprovider', namespace: 'garden' }
const object = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupBucket',
  metadata: { name },
  spec: { type: 'openstack', region: 'RegionOne', secretRef },
}
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: secretRef,
  data: Object.fromEntries(Object.entries(simulatedSecret).map(([key, text]) => [key, btoa(text)])),
}

const thingsOf = (openstack: SimulatedOpenStack) => [
  ...openstack.resources('container').map(container => ({ name: container.name, content: {} })),
  ...openstack.resources('object').map(one => ({ name: `${one.container}/${one.name}`, content: {} })),
]

for (const { promise, hold } of functionPromises({
  definition,
  example: { object, beside: [secret] },
  cloud: ({ clock }) => simulatedCloud({ clock }, thingsOf).cloud,
  made: [name],
  marksOwner: false,
  waits: 'advance',
}))
  test(`openstack-backupbucket on the simulated Swift: ${promise}`, hold)

test.each(['before', 'after'] as const)(
  'a bucket with objects is deleted after a crash %s any action, and others stay',
  async when => {
    for (let action = 1; action <= 8; action++) {
      const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
      const { cloud, openstack } = simulatedCloud({ clock }, thingsOf)
      const seed = createSteppedSeed({ definition, cloud, clock, objects: [secret], waits: 'advance' })
      await seed.apply(object)
      for (const key of ['a', 'b/c + ü', 'd%2F']) openstack.addObject(name, key)
      openstack.addObject('other', 'a')
      seed.dieAt(action, when)
      expect(await seed.remove(object), `action ${action}`).toBeUndefined()
      expect(thingsOf(openstack).map(thing => thing.name)).toEqual(['other', 'other/a'])
    }
  },
)
