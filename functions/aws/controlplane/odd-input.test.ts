import { expect, test } from 'vitest'
import { CodedError } from '../../../shared/contract/errors.ts'
import { parseCluster, parseObject } from '../../../shared/contract/parse.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { imageTable } from './images/image-table.ts'
import { clusterOf, controlPlaneOf } from './testing/control-plane.ts'

type Json = Readonly<Record<string, unknown>>

const odd: readonly unknown[] = [
  null,
  '',
  'x',
  -1,
  1.5,
  true,
  [],
  [null],
  [['x']],
  {},
  { x: 'x' },
  { a: null },
]

const fieldsOfControlPlane = [
  'metadata.annotations',
  'spec.region',
  'spec.providerConfig',
  'spec.providerConfig.apiVersion',
  'spec.providerConfig.cloudControllerManager',
  'spec.providerConfig.cloudControllerManager.featureGates',
  'spec.providerConfig.cloudControllerManager.featureGates.Some',
  'spec.providerConfig.loadBalancerController',
  'spec.providerConfig.loadBalancerController.ingressClassName',
  'spec.providerConfig.storage.managedDefaultClass',
  'spec.infrastructureProviderStatus',
  'spec.infrastructureProviderStatus.vpc',
  'spec.infrastructureProviderStatus.vpc.id',
  'spec.infrastructureProviderStatus.vpc.subnets',
  'spec.infrastructureProviderStatus.elasticFileSystem',
]
const fieldsOfCluster = [
  'spec.shoot',
  'spec.shoot.metadata.annotations',
  'spec.shoot.spec',
  'spec.shoot.spec.kubernetes.version',
  'spec.shoot.spec.kubernetes.kubeAPIServer',
  'spec.shoot.spec.kubernetes.kubeAPIServer.featureGates',
  'spec.shoot.spec.kubernetes.kubeAPIServer.runtimeConfig',
  'spec.shoot.spec.networking',
  'spec.shoot.spec.networking.providerConfig',
  'spec.shoot.spec.networking.providerConfig.overlay',
  'spec.shoot.spec.networking.pods',
  'spec.shoot.spec.networking.ipFamilies',
  'spec.shoot.spec.provider',
  'spec.shoot.spec.provider.infrastructureConfig',
  'spec.shoot.status',
  'spec.shoot.status.networking.nodes',
]

const changed = (object: unknown, [first = '', ...rest]: readonly string[], value: unknown): Json => {
  const fields = Object(object)
  return { ...fields, [first]: rest.length === 0 ? value : changed(fields[first], rest, value) }
}

/** Renders the input, unless a schema refuses it. */
const render = (asked: object, shoot: object): 'rendered' | 'refused by a schema' => {
  const controlPlane = parseObject('ControlPlane', asked as never)
  const cluster = parseCluster(shoot as never)
  if (!controlPlane.ok || !cluster.ok) return 'refused by a schema'
  awsControlPlane(imageTable)
    .desired({ controlPlane: controlPlane.object, cluster: cluster.object, secret: undefined })
    .resources({
      secrets: { current: name => ({ name, data: {} }), bundle: name => ({ name, data: {} }) },
      cloudproviderData: {},
      replicas: 1,
    })
  return 'rendered'
}

const controlPlane = controlPlaneOf({ providerConfig: {} })
const cluster = clusterOf({})

test.each([
  ...fieldsOfControlPlane.map(
    field => [field, (value: unknown) => [changed(controlPlane, field.split('.'), value), cluster]] as const,
  ),
  ...fieldsOfCluster.map(
    field => [field, (value: unknown) => [controlPlane, changed(cluster, field.split('.'), value)]] as const,
  ),
])('any content of %s is rendered or refused with a clear error', (_, withValue) => {
  for (const value of odd) {
    const [asked = {}, shoot = {}] = withValue(value)
    try {
      render(asked, shoot)
    } catch (error) {
      expect(error, JSON.stringify(value)).toBeInstanceOf(CodedError)
    }
  }
})

test('the rest of such an object is rendered', () => {
  expect(render(controlPlane, cluster)).toBe('rendered')
})
