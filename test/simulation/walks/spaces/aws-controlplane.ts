import fc from 'fast-check'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { controlPlaneConfigSchema } from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { exampleObjects } from '../space/example-objects.ts'
import { rarely } from '../space/rarely.ts'
import { withoutKey } from '../space/troubles.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'

const namespace = 'shoot--garden--control-plane'

const infrastructureStatus = (efs: string | undefined) => ({
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'InfrastructureStatus',
  ec2: { keyName: `${namespace}-ssh-publickey` },
  iam: { instanceProfiles: [{ name: `${namespace}-nodes`, purpose: 'nodes' }], roles: [] },
  vpc: {
    id: 'vpc-0123456789abcdef0',
    securityGroups: [{ id: 'sg-0123456789abcdef0', purpose: 'nodes' }],
    subnets: [
      { id: 'subnet-0aaaaaaaaaaaaaaa1', purpose: 'nodes', zone: 'eu-west-1a' },
      { id: 'subnet-0aaaaaaaaaaaaaaa3', purpose: 'public', zone: 'eu-west-1a' },
    ],
  },
  ...(efs !== undefined && { elasticFileSystem: { ID: efs } }),
})

const config = arbitraryOf(schemaOf(controlPlaneConfigSchema), {
  apiVersion: fc.constant('aws.provider.extensions.gardener.cloud/v1alpha1'),
  kind: fc.constant('ControlPlaneConfig'),
  'cloudControllerManager.featureGates': rarely<object | undefined>(
    fc.constantFrom(undefined, { APIResponseCompression: true }),
    { NoSuchGate: true },
  ),
  'loadBalancerController.ingressClassName': fc.constantFrom(undefined, 'own-alb'),
})

const spec = arbitraryOf(schemaOf(kinds.ControlPlane.schema.shape.spec), {
  type: fc.constant('aws'),
  class: absent,
  providerConfig: fc.option(config, { nil: undefined, freq: 8 }),
  infrastructureProviderStatus: rarely<object | undefined>(
    fc.constantFrom(undefined, 'fs-0123456789abcdef0').map(infrastructureStatus),
    {},
  ),
  region: fc.constant('eu-west-1'),
  'secretRef.name': fc.constant('cloudprovider'),
  'secretRef.namespace': fc.constant(namespace),
})

const shoot = fc.record({
  metadata: fc.record({
    annotations: fc.constantFrom(
      {},
      { 'shoot.gardener.cloud/cleanup-infrastructure-resources-grace-period-seconds': '1' },
    ),
  }),
  spec: fc.record({
    hibernation: fc.record({ enabled: fc.constantFrom(false, false, false, true) }),
    kubernetes: fc.record({ version: fc.constantFrom('1.33.3', '1.34.1') }),
    networking: fc.record({ providerConfig: fc.record({ overlay: fc.record({ enabled: fc.boolean() }) }) }),
  }),
})

export const awsControlPlane: WalkSpace = {
  name: 'aws/controlplane',
  load: async () => ({
    definition: (await import('../../../../functions/aws/controlplane/function.ts')).definition,
    shoots: fc.constant(fc.record({ spec, shoot }) as fc.Arbitrary<Configuration>),
    shoot: namespace,
    objects: await exampleObjects('controlplane/one-zone.yaml'),
    troubles: { 'a Secret without a key': { objects: withoutKey('cloudprovider', 'secretAccessKey') } },
  }),
}
