import { describe, expect, test } from 'vitest'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { type Asked, infrastructureWith, renderedOf, subnet, valuesOf } from '../testing/control-plane.ts'

const errorOf = (asked: Asked): { readonly message: string; readonly codes: readonly string[] } => {
  try {
    renderedOf(asked)
  } catch (error) {
    if (error instanceof CodedError) return { message: error.message, codes: error.codes }
    throw error
  }
  throw new Error('nothing was refused')
}

const users = ['ERR_CONFIGURATION_PROBLEM']

describe('is refused', () => {
  test.each<readonly [string, Asked, string, readonly string[]]>([
    [
      'an unknown field of the config',
      { providerConfig: { foo: 1 } },
      `could not decode providerConfig of controlplane 'shoot--foo--bar/bar': strict decoding error: unknown field "foo"`,
      users,
    ],
    [
      'a field with a slip of the pen',
      { providerConfig: { storage: { managedDefaultClas: false } } },
      `could not decode providerConfig of controlplane 'shoot--foo--bar/bar': strict decoding error: unknown field "storage.managedDefaultClas" (did you mean managedDefaultClass?)`,
      users,
    ],
    [
      'another kind of config',
      { providerConfig: { kind: 'InfrastructureConfig' } },
      `could not decode providerConfig of controlplane 'shoot--foo--bar/bar': kind: expected "ControlPlaneConfig", found "InfrastructureConfig"`,
      users,
    ],
    [
      'a field of another type',
      { providerConfig: { loadBalancerController: { enabled: 'yes' } } },
      `could not decode providerConfig of controlplane 'shoot--foo--bar/bar': loadBalancerController.enabled: expected a boolean, found a string`,
      users,
    ],
    [
      'a missing status of the infrastructure',
      { infrastructure: null },
      `could not decode infrastructureProviderStatus of controlplane 'shoot--foo--bar/bar': the infrastructure has no status`,
      [],
    ],
    [
      'an unknown field of it',
      { infrastructure: { ...infrastructureWith('nodes'), foo: 1 } },
      `could not decode infrastructureProviderStatus of controlplane 'shoot--foo--bar/bar': strict decoding error: unknown field "foo"`,
      [],
    ],
    [
      'one without subnets',
      { infrastructure: { vpc: { id: 'vpc-1', subnets: null } } },
      `could not determine subnet from infrastructureProviderStatus of controlplane 'shoot--foo--bar/bar': no subnet with purpose "nodes" found`,
      [],
    ],
    [
      'one without a VPC',
      { infrastructure: { vpc: { id: '', subnets: [subnet('nodes')] } } },
      `could not determine subnet from infrastructureProviderStatus of controlplane 'shoot--foo--bar/bar': the VPC has no id`,
      [],
    ],
    [
      'a shoot without a version',
      { version: null },
      `could not read the Kubernetes version of shoot 'shoot--foo--bar': invalid version string '': invalid semantic version`,
      [],
    ],
    [
      'a version that is none',
      { version: 'abc' },
      `could not read the Kubernetes version of shoot 'shoot--foo--bar': invalid version string 'abc': invalid semantic version`,
      [],
    ],
    [
      'a version that is older than the images',
      { version: '1.31.5' },
      'could not find image "cloud-controller-manager" for Kubernetes 1.31.5',
      users,
    ],
    [
      'a version that is newer',
      { version: '1.37.0' },
      'could not find image "cloud-controller-manager" for Kubernetes 1.37.0',
      users,
    ],
    [
      'an overlay that is neither on nor off',
      { networking: { providerConfig: { overlay: { enabled: 'no' } } } },
      'could not determine if overlay is enabled: overlay.enabled is not a boolean',
      users,
    ],
    [
      'an overlay that says nothing',
      { networking: { providerConfig: { overlay: {} } } },
      'could not determine if overlay is enabled: overlay.enabled is not a boolean',
      users,
    ],
    [
      'an overlay that is no object',
      { networking: { providerConfig: { overlay: true } } },
      'could not determine if overlay is enabled: overlay is not an object',
      users,
    ],
    [
      'the purpose exposure',
      { purpose: 'exposure' },
      'spec.purpose: Gardener no longer supports ControlPlanes of purpose exposure. The ingress gateway of the seed exposes the API server. Delete this object',
      users,
    ],
  ])('%s', (_, asked, message, codes) => {
    expect(errorOf(asked)).toEqual({ message, codes })
  })

  test('names only the invalid config, whatever other errors exist', () => {
    const everything = {
      providerConfig: { foo: 1 },
      infrastructure: null,
      networking: { providerConfig: { overlay: 1 } },
    }
    expect(errorOf(everything).message).toContain('providerConfig')
  })
})

test('the purpose normal is accepted, as every ControlPlane has it', () => {
  expect(valuesOf({ purpose: 'normal' })).toEqual(valuesOf())
})

test('a config is optional, and null counts as absent', () => {
  const nothing = {
    featureGates: {},
    useCustomRouteController: false,
    loadBalancerController: { enabled: false, ingressClassName: 'alb' },
    managedDefaultClass: true,
  }
  expect(valuesOf().config).toEqual(nothing)
  expect(valuesOf({ providerConfig: {} }).config).toEqual(nothing)
  const nulls = {
    cloudControllerManager: null,
    loadBalancerController: { enabled: null, ingressClassName: null },
  }
  expect(valuesOf({ providerConfig: nulls }).config).toEqual(nothing)
})

describe('the subnet of the cloud controller manager', () => {
  test.each([
    [['nodes', 'internal', 'public'], 'public'],
    [['nodes', 'internal'], 'internal'],
    [['nodes'], 'nodes'],
  ])('of %j is %s', (purposes, purpose) => {
    const { infrastructure } = valuesOf({ infrastructure: infrastructureWith(...purposes) })
    expect(infrastructure.subnet).toEqual({ id: `subnet-${purpose}`, zone: `zone-${purpose}` })
  })

  test('is the first of its purpose', () => {
    const subnets = [subnet('public', 'first'), subnet('public', 'second')]
    expect(valuesOf({ infrastructure: { vpc: { id: 'vpc-1', subnets } } }).infrastructure.subnet.id).toBe(
      'first',
    )
  })
})

test.each([
  [undefined, true],
  [{}, true],
  [{ overlay: null }, true],
  [{ overlay: { enabled: true } }, true],
  [{ overlay: { enabled: false } }, false],
])('with %j of the network the overlay is %s', (providerConfig, hasOverlay) => {
  expect(valuesOf({ networking: { providerConfig } }).networking.hasOverlay).toBe(hasOverlay)
})

test('a shoot without IP families has none in the configuration', () => {
  const configuration = ({ networking }: Asked) =>
    String(
      Reflect.get(
        renderedOf({ networking: networking ?? {} }).find('ConfigMap', 'cloud-provider-config')
          ?.data as object,
        'cloudprovider.conf',
      ),
    )
  expect(configuration({ networking: { ipFamilies: null } })).not.toContain('NodeIPFamilies')
  expect(configuration({ networking: { ipFamilies: ['IPv6', 'IPv4'] } })).toMatch(
    /NodeIPFamilies="ipv4"\nNodeIPFamilies="ipv6"\n$/,
  )
})

test.each([
  ['workload-identity-token-requestor', true],
  ['another', false],
])('credentials of the purpose %s are a token: %s', (purpose, isToken) => {
  const secretLabels = { 'security.gardener.cloud/purpose': purpose }
  expect(valuesOf({ secretLabels }).hasWorkloadIdentity).toBe(isToken)
})
