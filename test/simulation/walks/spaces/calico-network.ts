import fc from 'fast-check'
import {
  kubeProxyProblems,
  networkConfigProblems,
  networkConfigSchema,
} from '../../../../functions/calico/network/config/calico.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { exampleObjects } from '../space/example-objects.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'

const method = fc.constantFrom(undefined, 'first-found', 'interface=eth.*')
const amount = (...values: readonly string[]) => fc.constantFrom(undefined, ...values)

const config = arbitraryOf(schemaOf(networkConfigSchema), {
  'ipam.cidr': fc.constantFrom(undefined, 'usePodCidr'),
  'ipv4.autoDetectionMethod': method,
  'ipv6.autoDetectionMethod': method,
  vethMTU: fc.constantFrom(undefined, '1440', '8951'),
  'autoScaling.resources.node.cpu': amount('100m', '250m'),
  'autoScaling.resources.node.memory': amount('128Mi', '256Mi'),
  'autoScaling.resources.typha.cpu': amount('50m'),
  'autoScaling.resources.typha.memory': amount('100Mi'),
  ipAutodetectionMethod: absent,
})

/** The range of pods is immutable. */
const specWith = (podCIDR: string) =>
  arbitraryOf(schemaOf(kinds.Network.schema.shape.spec), {
    type: fc.constant('calico'),
    class: absent,
    providerConfig: fc.option(config, { nil: undefined, freq: 8 }),
    podCIDR: fc.constant(podCIDR),
    serviceCIDR: fc.constant('100.64.0.0/13'),
    ipFamilies: fc.constantFrom(['IPv4'], ['IPv4'], ['IPv4', 'IPv6']),
  })

const shoot = fc.record({
  spec: fc.record({
    kubernetes: fc.record({
      version: fc.constantFrom('1.33.3', '1.34.1'),
      kubeProxy: fc.constantFrom({ enabled: true }, { enabled: true, mode: 'IPVS' }, { enabled: false }),
    }),
  }),
})

/**
 * The rules of admission (functions/calico/webhooks/validator/validate-shoot.ts), and one that only the function has: a
 * disabled kube-proxy has no mode.
 */
const isAdmitted = ({ spec, shoot }: Configuration): boolean => {
  const config = networkConfigSchema.parse(spec.providerConfig ?? {})
  const { kubeProxy } = Object(Object(shoot).spec).kubernetes
  if (kubeProxy.enabled === false && kubeProxy.mode !== undefined) return false
  const problems = networkConfigProblems(config, spec.ipFamilies as readonly string[])
  return [...problems, ...kubeProxyProblems(config, kubeProxy)].length === 0
}

export const calicoNetwork: WalkSpace = {
  name: 'calico/network',
  load: async () => ({
    definition: (await import('../../../../functions/calico/network/function.ts')).definition,
    shoots: fc
      .constantFrom('100.96.0.0/11', '10.0.0.0/16')
      .map(podCIDR => fc.record({ spec: specWith(podCIDR), shoot }) as fc.Arbitrary<Configuration>),
    admission: (_, after) => (isAdmitted(after) ? 'admitted' : 'refused'),
    objects: await exampleObjects('network/calico.yaml'),
  }),
}
