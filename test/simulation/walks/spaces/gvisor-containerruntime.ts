import fc from 'fast-check'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { exampleObjects } from '../space/example-objects.ts'
import { rarely } from '../space/rarely.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'

const flag = fc.constantFrom(undefined, 'true', 'false')

const config = fc.record({
  apiVersion: fc.constant('gvisor.runtime.extensions.config.gardener.cloud/v1alpha1'),
  kind: fc.constant('GVisorConfiguration'),
  configFlags: fc
    .record({
      debug: rarely<string | undefined>(flag, 'maybe'),
      'net-raw': flag,
      nvproxy: flag,
      'panic-signal': fc.constantFrom(undefined, '3', '15'),
      unknown: fc.constantFrom(undefined, 'true'),
    })
    .map(flags => Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))),
})

const spec = arbitraryOf(schemaOf(kinds.ContainerRuntime.schema.shape.spec), {
  type: fc.constant('gvisor'),
  class: absent,
  providerConfig: fc.option(config, { nil: undefined }),
  binaryPath: rarely(fc.constantFrom('/var/bin/containerruntimes', '/opt/bin'), 'relative'),
  'workerPool.name': rarely(fc.constant('traced'), 'another'),
  'workerPool.selector': rarely<object>(
    fc.constantFrom(
      { matchLabels: { 'worker.gardener.cloud/pool': 'traced' } },
      { matchLabels: { 'worker.gardener.cloud/pool': 'traced', more: 'true' } },
    ),
    { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
  ),
})

const shoot = fc.record({
  spec: fc.record({ kubernetes: fc.record({ version: fc.constantFrom('1.33.3', '1.34.1') }) }),
})

export const gvisorContainerRuntime: WalkSpace = {
  name: 'gvisor/containerruntime',
  load: async () => ({
    definition: (await import('../../../../functions/gvisor/containerruntime/function.ts')).definition,
    shoots: fc.constant(fc.record({ spec, shoot }) as fc.Arbitrary<Configuration>),
    objects: await exampleObjects('containerruntime/two-pools.yaml'),
  }),
}
