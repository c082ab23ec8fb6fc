import { describe, expect, test } from 'vitest'
import type { Otherwise } from '../../../../shared/webhooks/admission/testing/play-reviews.ts'
import { gardenWith, ids, shootWith, validate, workerConfig } from '../testing/garden.ts'

const infrastructure = 'spec.provider.infrastructureConfig'
const networks = `${infrastructure}.networks`
const controlPlane = 'spec.provider.controlPlaneConfig'
const classes = `${controlPlane}.loadBalancerClasses`
const pool = 'spec.provider.workers.0'
const ranges = { nodeCIDR: '2001:db8::/64', podCIDR: '2001:db8:1::/64', serviceCIDR: '2001:db8:2::/108' }

describe('an update', () => {
  test.each<[string, Otherwise, Otherwise]>([
    [`${networks}.id`, {}, { [`${networks}.id`]: ids.network }],
    [`${networks}.router`, {}, { [`${networks}.router`]: { id: ids.network } }],
    [`${networks}.workers`, {}, { [`${networks}.workers`]: '10.250.32.0/19' }],
    [`${networks}.worker`, {}, { [`${networks}.worker`]: '10.250.32.0/19' }],
    [`${networks}.ipv6`, {}, { [`${networks}.ipv6`]: ranges }],
    [
      `${networks}.subnetPool`,
      { [networks]: { subnetPool: { id: 'a', prefixLength: 24 } } },
      { [networks]: { subnetPool: { id: 'b', prefixLength: 24 } } },
    ],
    [`${networks}.shareNetwork`, { [`${networks}.shareNetwork`]: { enabled: true } }, {}],
    [`${infrastructure}.floatingPoolName`, {}, { [`${infrastructure}.floatingPoolName`]: 'other' }],
    [`${infrastructure}.floatingPoolSubnetName`, {}, { [`${infrastructure}.floatingPoolSubnetName`]: 'a' }],
  ])('cannot change %s', async (path, before, after) => {
    const { message } = await validate(shootWith(after), { old: shootWith(before) })
    expect(message).toContain(`${path}: Invalid value`)
    expect(message).toContain('it cannot be changed after the shoot was created')
  })

  test('can enable a share network', async () => {
    const after = shootWith({ [`${networks}.shareNetwork`]: { enabled: true } })
    expect(await validate(after, { old: shootWith() })).toMatchObject({ allowed: true })
  })

  test.each<[string, Otherwise, string]>([
    ['removes a zone', { [`${pool}.zones`]: ['z1'] }, 'zones'],
    ['reorders zones', { [`${pool}.zones`]: ['z2', 'z1'] }, 'zones'],
  ])('that %s is refused for that alone', async (_, other, field) => {
    const after = shootWith({ ...other, 'spec.networking.nodes': undefined })
    const { message } = await validate(after, { old: shootWith() })
    expect(message.split(': ')[0]).toBe(`spec.provider.workers[0].${field}`)
    expect(message).not.toContain('spec.networking.nodes')
  })

  test.each(['providerConfig', 'dataVolumes'])('of a pool in place cannot change %s', async field => {
    const inPlace = { [`${pool}.updateStrategy`]: 'AutoInPlaceUpdate' }
    const value = field === 'dataVolumes' ? [{ name: 'x', size: '5Gi' }] : workerConfig({})
    const after = shootWith({ ...inPlace, [`${pool}.${field}`]: value })
    expect((await validate(after, { old: shootWith(inPlace) })).message).toContain(
      `spec.provider.workers[0].${field}: Invalid value`,
    )
  })

  test('survives new restrictions of the CloudProfile, and loses no node', async () => {
    const garden = gardenWith({
      'spec.providerConfig.constraints': {
        floatingPools: [{ name: 'new' }],
        loadBalancerProviders: [{ name: 'new' }],
      },
    })
    const after = shootWith({ [`${pool}.maximum`]: 7 })
    expect(await validate(after, { old: shootWith(), garden })).toMatchObject({ allowed: true, message: '' })
  })

  test('with an unknown field in the old config is allowed', async () => {
    const old = shootWith({ [`${networks}.former`]: true })
    expect(await validate(shootWith(), { old })).toMatchObject({ allowed: true })
  })

  test('that no longer needs its credentials does not read them, so that a deletion can be confirmed', async () => {
    const other = { 'metadata.annotations': { 'confirmation.gardener.cloud/deletion': 'true' } }
    const garden = gardenWith().filter(({ kind }) => kind === 'CloudProfile')
    expect(await validate(shootWith(other), { old: shootWith(), garden })).toMatchObject({ allowed: true })
  })

  test('of classes without credentials has no restrictions, and does not fail (D26)', async () => {
    const without = { 'spec.secretBindingName': undefined }
    const after = shootWith({ ...without, [classes]: [{ name: 'any', subnetID: 'x' }] })
    expect(await validate(after, { old: shootWith(without) })).toMatchObject({ allowed: true, message: '' })
  })

  test('with another zone of the control plane, which has no effect, checks nothing else (D26)', async () => {
    const garden = gardenWith({ 'spec.providerConfig.constraints.loadBalancerProviders': [{ name: 'new' }] })
    const after = shootWith({ [`${controlPlane}.zone`]: 'z9' })
    expect(await validate(after, { old: shootWith(), garden })).toMatchObject({ allowed: true, message: '' })
  })

  test('retains an overlay that another admission accepted', async () => {
    const other = { 'spec.networking.providerConfig': { overlay: true } }
    expect(await validate(shootWith(other), { old: shootWith(other) })).toMatchObject({ allowed: true })
  })
})
