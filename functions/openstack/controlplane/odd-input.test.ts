import { expect, test } from 'vitest'
import { CodedError } from '../../../shared/contract/errors.ts'
import { parseCluster, parseObject } from '../../../shared/contract/parse.ts'
import { inputOf, rendered } from './testing/control-plane.ts'

type Json = Readonly<Record<string, unknown>>

const odd = [null, undefined, '', 'x', 0, -1, true, [], {}, [null], [{}], { enabled: 'x' }, 'a"b\n[c]']

const fieldsOfControlPlane = [
  'spec.providerConfig',
  'spec.providerConfig.loadBalancerClasses',
  'spec.providerConfig.loadBalancerProvider',
  'spec.providerConfig.storage',
  'spec.providerConfig.cloudControllerManager',
  'spec.infrastructureProviderStatus',
  'spec.infrastructureProviderStatus.networks',
  'spec.infrastructureProviderStatus.networks.subnets',
  'spec.infrastructureProviderStatus.networks.floatingPool',
]
const fieldsOfCluster = [
  'spec.cloudProfile',
  'spec.cloudProfile.spec',
  'spec.cloudProfile.spec.providerConfig',
  'spec.cloudProfile.spec.providerConfig.constraints',
  'spec.cloudProfile.spec.providerConfig.storageClasses',
  'spec.shoot.spec',
  'spec.shoot.spec.kubernetes',
  'spec.shoot.spec.networking',
  'spec.shoot.spec.networking.providerConfig',
  'spec.shoot.spec.provider',
  'spec.shoot.spec.provider.workers',
  'spec.shoot.spec.provider.infrastructureConfig',
  'spec.shoot.status',
]

const changed = (object: unknown, [first = '', ...rest]: readonly string[], value: unknown): Json => {
  const fields = Object(object)
  return { ...fields, [first]: rest.length === 0 ? value : changed(fields[first], rest, value) }
}

const { controlPlane, cluster, credentials } = inputOf({
  providerConfig: { storage: { csiManila: { enabled: true } } },
})

/** Renders the input, unless a schema refuses it. */
const render = (asked: object, shoot: object): 'rendered' | 'refused by a schema' => {
  const object = parseObject('ControlPlane', asked as never)
  const parsed = parseCluster(shoot as never)
  if (!object.ok || !parsed.ok) return 'refused by a schema'
  rendered({ controlPlane: object.object, cluster: parsed.object, credentials })
  return 'rendered'
}

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
