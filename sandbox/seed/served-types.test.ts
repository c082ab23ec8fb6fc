import { expect, test } from 'vitest'
import { functionManifest } from '../../knative/function-manifest.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { done } from '../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../shared/runtime/define-function.ts'
import { parseManifests, routesOf } from '../knative/knative.ts'
import { servedTypes } from './served-types.ts'

const manifest = (name: string, kind: KindName, type: string | readonly string[]) => ({
  name: `${name}.yaml`,
  text: functionManifest(
    defineFunction({
      name,
      kind,
      type,
      create: () => ({ reconcile: async () => done(), remove: async () => done() }),
    }),
  ),
})
const broker = {
  name: 'broker.yaml',
  text: 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default, namespace: trellis }\n',
}
const manifests = parseManifests([
  broker,
  manifest('acme-os', 'OperatingSystemConfig', ['acme', 'acme-fips', 'old.acme']),
  manifest('other-os', 'OperatingSystemConfig', 'other'),
  manifest('acme-network', 'Network', 'acme'),
])

test('the served types come from the functions’ Triggers', () => {
  expect(servedTypes(manifests)).toEqual({
    OperatingSystemConfig: ['acme', 'acme-fips', 'old.acme', 'other'],
    Network: ['acme'],
  })
})

test('the broker delivers an event only to the function with its type, also if the function has several types', () => {
  const routes = routesOf(manifests).get('trellis/default') ?? []
  const takers = (kind: string, provider: string) =>
    routes.filter(({ filter }) => filter({ kind, provider })).map(({ name }) => name)
  expect(takers('OperatingSystemConfig', 'acme')).toEqual(['trellis/acme-os'])
  expect(takers('OperatingSystemConfig', 'acme-fips')).toEqual(['trellis/acme-os'])
  expect(takers('OperatingSystemConfig', 'old.acme')).toEqual(['trellis/acme-os'])
  expect(takers('OperatingSystemConfig', 'other')).toEqual(['trellis/other-os'])
  expect(takers('OperatingSystemConfig', 'acme-old')).toEqual([])
  expect(takers('Network', 'acme')).toEqual(['trellis/acme-network'])
  expect(takers('Network', 'acme-fips')).toEqual([])
})
