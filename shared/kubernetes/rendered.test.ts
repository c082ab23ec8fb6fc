import type {
  CoreV1Event,
  V1CustomResourceDefinition,
  V1JSONSchemaProps,
  V1Lease,
} from '@kubernetes/client-node'
import { expect, expectTypeOf, test } from 'vitest'
import { allCrds } from '../contract/crds/crd-of.ts'
import type { KubernetesObject } from './port.ts'
import type { Json, Rendered } from './rendered.ts'

test('a rendered object is accepted by the port', () => {
  expectTypeOf<Rendered<V1Lease>>().toExtend<KubernetesObject>()
  expectTypeOf<Rendered<CoreV1Event>>().toExtend<KubernetesObject>()
})

test('a rendered object has times as texts and the field names of the wire', () => {
  expectTypeOf<Json<CoreV1Event>['firstTimestamp']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Json<V1JSONSchemaProps>['x-kubernetes-map-type']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Json<V1JSONSchemaProps>>().toHaveProperty('default')
  expectTypeOf<Json<V1JSONSchemaProps>>().not.toHaveProperty('_default')
})

test('unknown fields and wrong types are refused', () => {
  const head = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } }
  // @ts-expect-error: a text
  const wrong: Rendered<V1Lease> = { ...head, spec: { holderIdentity: 5 } }
  // @ts-expect-error: no such field
  const unknown: Rendered<V1Lease> = { ...head, spec: { holder: 'me' } }
  expect([wrong, unknown]).toHaveLength(2)
})

test('the type fits rendered objects', () => {
  const crds: readonly Rendered<V1CustomResourceDefinition>[] = allCrds()
  expect(crds.map(({ spec }) => spec.group)).toContain('extensions.gardener.cloud')
})
