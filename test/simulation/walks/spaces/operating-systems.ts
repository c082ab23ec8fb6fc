import fc from 'fast-check'
import { kinds } from '../../../../shared/contract/kinds.ts'
import type { FunctionDefinition } from '../../../../shared/runtime/runtime.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { exampleObjects } from '../space/example-objects.ts'
import { rarely } from '../space/rarely.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'

const texts = fc.constantFrom('one', 'two\nlines', '#!/bin/sh\necho "$HOME"')

const specOf = (type: string, purpose: string) =>
  arbitraryOf(schemaOf(kinds.OperatingSystemConfig.schema.shape.spec), {
    type: fc.constant(type),
    class: absent,
    providerConfig: absent,
    purpose: rarely(fc.constant(purpose), purpose === 'provision' ? 'reconcile' : 'provision'),
    'units[].name': fc.constantFrom('kubelet.service', 'own.service'),
    'units[].content': fc.option(texts, { nil: undefined }),
    'units[].dropIns[].name': fc.constantFrom('10-own.conf', '20-own.conf'),
    'units[].dropIns[].content': texts,
    'units[].filePaths': absent,
    'files[].path': fc.constantFrom('/etc/own', '/opt/bin/own', '/var/lib/own/config'),
    'files[].permissions': fc.constantFrom(undefined, 384, 493),
    'files[].content': fc.oneof(
      texts.map(data => ({ inline: { encoding: '', data } })),
      texts.map(data => ({ inline: { encoding: 'b64', data: btoa(data) } })),
      texts.map(data => ({ inline: { encoding: '', data }, transmitUnencoded: true })),
      fc.constant({ secretRef: { name: 'none', dataKey: 'missing' } }),
    ),
    'files[].hostName': absent,
    'criConfig.containerd': absent,
    inPlaceUpdates: absent,
  })

const spaceOf = (
  name: string,
  type: string,
  file: string,
  load: () => Promise<{ readonly definition: FunctionDefinition }>,
): WalkSpace => ({
  name: `${name}/operatingsystemconfig`,
  load: async () => ({
    definition: (await load()).definition,
    shoots: fc
      .constantFrom('provision', 'reconcile')
      .map(purpose => fc.record({ spec: specOf(type, purpose) }) as fc.Arbitrary<Configuration>),
    objects: await exampleObjects(`operatingsystemconfig/${file}.yaml`),
  }),
})

export const operatingSystems: readonly WalkSpace[] = [
  spaceOf(
    'gardenlinux',
    'gardenlinux',
    'gardenlinux',
    () => import('../../../../functions/gardenlinux/operatingsystemconfig/function.ts'),
  ),
  spaceOf(
    'ubuntu',
    'ubuntu',
    'ubuntu',
    () => import('../../../../functions/ubuntu/operatingsystemconfig/function.ts'),
  ),
  spaceOf(
    'suse-chost',
    'suse-chost',
    'suse-chost',
    () => import('../../../../functions/suse-chost/operatingsystemconfig/function.ts'),
  ),
  spaceOf(
    'local',
    'local',
    'local',
    () => import('../../../../functions/local/operatingsystemconfig/function.ts'),
  ),
]
