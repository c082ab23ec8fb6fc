import { describe, expect, test } from 'vitest'
import { admit, mutate, type Otherwise, shootWith, valueAt } from '../testing/reviews.ts'

const overlay = 'spec.networking.providerConfig.overlay'
const controlPlane = 'spec.provider.controlPlaneConfig'
const routes = `${controlPlane}.cloudControllerManager.useCustomRouteController`
const loadBalancers = `${controlPlane}.loadBalancerController`
const config = { apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1', kind: 'ControlPlaneConfig' }

describe('the overlay network', () => {
  test('is on by default, and the shoot can be reconciled', async () => {
    const { allowed, object } = await admit(shootWith({ [overlay]: {} }))
    expect(allowed).toBe(true)
    const { object: mutated } = await mutate(shootWith({ [overlay]: { mode: 'x' } }))
    expect(valueAt(mutated, overlay)).toEqual({ mode: 'x', enabled: true })
    expect(valueAt(mutated, routes)).toBe(false)
    expect(object).toBeDefined()
  })

  test('with an invalid value is left to the validator', async () => {
    const { object } = await mutate(shootWith({ [overlay]: 'yes' }))
    expect(valueAt(object, overlay)).toBe('yes')
    expect((await admit(shootWith({ [overlay]: 'yes' }))).allowed).toBe(false)
  })

  test('of the old shoot is retained if the new object omits it', async () => {
    const { object } = await mutate(shootWith({ 'spec.purpose': 'testing' }), {
      old: shootWith({ [overlay]: { enabled: true, more: 1 } }),
    })
    expect(valueAt(object, overlay)).toEqual({ enabled: true, more: 1 })
  })
})

describe('an unsupported value of the user gives a warning', () => {
  test.each<[string, Otherwise, readonly string[]]>([
    [
      'routes with an overlay',
      { [overlay]: { enabled: true }, [routes]: true },
      [`${routes}: set to false, derived from the overlay network (spec.networking.providerConfig.overlay)`],
    ],
    [
      'no routes without one',
      { [overlay]: { enabled: false }, [routes]: false },
      [`${routes}: set to true, derived from the overlay network (spec.networking.providerConfig.overlay)`],
    ],
    [
      'no load balancer controller with IPv6',
      {
        [overlay]: { enabled: false },
        [`${loadBalancers}.enabled`]: false,
        'spec.networking.ipFamilies': ['IPv6'],
      },
      [`${loadBalancers}.enabled: set to true because load balancers with IPv6 need it`],
    ],
    ['nothing', {}, []],
    ['the values that it would have had', { [overlay]: { enabled: true }, [routes]: false }, []],
  ])('%s', async (_, other, warnings) => {
    const shoot = shootWith({ [controlPlane]: config, ...other })
    expect((await mutate(shoot)).warnings).toEqual(warnings)
  })
})

test('the other fields of a config are retained', async () => {
  const { object } = await mutate(
    shootWith({
      [controlPlane]: config,
      [`${loadBalancers}.ingressClassName`]: 'mine',
      [`${controlPlane}.storage.managedDefaultClass`]: false,
      'spec.networking.ipFamilies': ['IPv6', 'IPv4'],
    }),
  )
  expect(valueAt(object, loadBalancers)).toEqual({ ingressClassName: 'mine', enabled: true })
  expect(valueAt(object, `${controlPlane}.storage`)).toEqual({ managedDefaultClass: false })
})

test('a new shoot without an InfrastructureConfig gets an empty one, which the validator refuses', async () => {
  const { message } = await admit(shootWith({ 'spec.provider.infrastructureConfig': undefined }))
  expect(message).toContain('networks.zones: Required value')
})

describe('a shoot is ignored', () => {
  const last = (type: string, state: string) => ({ 'status.lastOperation': { type, state } })
  const moved = { 'spec.seedName': 'b', 'status.seedName': 'a' }
  const updated = { old: shootWith({ 'spec.purpose': 'testing' }) }
  test.each<[string, Otherwise, typeof updated | undefined]>([
    ['while it moves away', last('Migrate', 'Processing'), updated],
    ['until it is restored', last('Restore', 'Error'), updated],
    ['when another seed is chosen', { ...moved, ...last('Reconcile', 'Succeeded') }, undefined],
    ['when its spec stays', { 'metadata.labels.x': 'y' }, { old: shootWith() }],
    ['without workers', { 'spec.provider.workers': [] }, undefined],
    ['when it is being deleted', { 'metadata.deletionTimestamp': '2026-01-01T00:00:00Z' }, updated],
  ])('%s', async (_, other, given) => {
    const shoot = shootWith(other)
    expect((await mutate(shoot, given)).object).toEqual(shoot)
  })

  test.each<[string, Otherwise, typeof updated | undefined]>([
    ['is restored', last('Restore', 'Succeeded'), updated],
    [
      'is on the seed that was chosen',
      { ...last('Reconcile', 'Succeeded'), 'spec.seedName': 'a' },
      undefined,
    ],
    ['is new', moved, undefined],
  ])('and not if it %s', async (_, other, given) => {
    const shoot = shootWith(other)
    expect((await mutate(shoot, given)).object).not.toEqual(shoot)
  })
})
