import { expect, test } from 'vitest'
import { plain } from '../cloud/rest.ts'
import { admin } from '../cloud/seed.ts'
import type { RunningCloud } from '../cloud/start-cloud.ts'
import { namesIn } from '../lives/cloud-content.ts'
import { recordedCloudError } from '../lives/recordings.ts'
import { type InfrastructureInput, type InfrastructureWorld, newWorld } from './world.ts'

interface Refusal {
  readonly given: (
    world: InfrastructureWorld,
    cloud: RunningCloud,
  ) => Promise<InfrastructureInput> | InfrastructureInput
  readonly codes: readonly string[] | undefined
  /** A word that tells users which input is meant. */
  readonly says: RegExp | string
  /** Roles of the user. Default: member and net_gateway. */
  readonly roles?: readonly string[]
  /** The Go extension reports no code, or another one: why. */
  readonly unlikeGo?: string
}

const quota =
  (resource: string, limit: number) => async (world: InfrastructureWorld, cloud: RunningCloud) => {
    const { token } = await cloud.login(admin)
    await plain('PUT', `${cloud.url('network')}/v2.0/quotas/${world.project.projectId}`, {
      token,
      body: { quota: { [resource]: limit } },
    })
    return {}
  }

const workers = '10.250.0.0/16'
const nowhere = '01234567-89ab-cdef-0123-456789abcdef'
const noCodeInGo = 'D27: the texts of the Go extension match no code'

/** By the names of the recordings. */
const refusals: Readonly<Record<string, Refusal>> = {
  'error-missing-network': {
    given: () => ({ config: { networks: { workers, id: nowhere } } }),
    codes: ['ERR_CONFIGURATION_PROBLEM', 'ERR_INFRA_DEPENDENCIES'],
    says: nowhere,
    unlikeGo: noCodeInGo,
  },
  'error-missing-router': {
    given: () => ({ config: { networks: { workers, router: { id: nowhere } } } }),
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    says: nowhere,
  },
  'error-router-without-gateway': {
    given: async world => ({
      config: { networks: { workers, router: { id: await world.create('router', { name: 'no-gateway' }) } } },
    }),
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    says: /gateway|external/,
    unlikeGo: noCodeInGo,
  },
  'error-policy-fixed-ips': {
    given: () => ({ config: { floatingPoolName: 'public-multi', floatingPoolSubnetName: 'fip-a' } }),
    roles: ['member'],
    codes: ['ERR_INFRA_UNAUTHORIZED'],
    says: 'PolicyNotAuthorized',
  },
  'error-quota-network': { given: quota('network', 0), codes: ['ERR_INFRA_QUOTA_EXCEEDED'], says: 'network' },
  'error-quota-router': { given: quota('router', 0), codes: ['ERR_INFRA_QUOTA_EXCEEDED'], says: 'router' },
  'error-quota-security-group': {
    given: quota('security_group', 1),
    codes: ['ERR_INFRA_QUOTA_EXCEEDED'],
    says: 'security_group',
  },
  'error-secret-incomplete': {
    given: () => ({ secret: { password: null } }),
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    says: 'password',
    unlikeGo: noCodeInGo,
  },
  'error-unknown-floating-pool': {
    given: () => ({ config: { floatingPoolName: 'nope' } }),
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    says: 'nope',
  },
  'error-unknown-project': {
    given: () => ({ secret: { tenantName: 'nope' } }),
    codes: ['ERR_INFRA_UNAUTHORIZED'],
    says: 'nope',
  },
  'error-wrong-password': {
    given: () => ({ secret: { password: 'wrong' } }),
    codes: ['ERR_INFRA_UNAUTHORIZED'],
    says: 'project',
  },
  'error-unknown-app-credential': {
    given: () => ({
      secret: {
        username: null,
        password: null,
        applicationCredentialID: '0123456789abcdef0123456789abcdef',
        applicationCredentialSecret: 'x',
      },
    }),
    codes: ['ERR_INFRA_UNAUTHENTICATED'],
    says: 'Application Credential',
  },
  'error-two-networks-same-name': {
    given: async world => {
      for (const _ of [1, 2]) await world.create('network', { name: world.namespace })
      return {}
    },
    codes: ['ERR_INFRA_DEPENDENCIES'],
    says: 'shoot--os--error-two-networks-same-name',
    unlikeGo: noCodeInGo,
  },
  'unknown-region': {
    given: () => ({ region: 'RegionTwo' }),
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    says: 'RegionOne',
  },
  'no-free-address': {
    given: async world => {
      const network_id = world.offeredId('<network public-full>')
      const external_fixed_ips = [{ subnet_id: world.offeredId('<subnet full-a>') }]
      const external_gateway_info = { network_id, external_fixed_ips }
      await world.create('router', { name: 'has-the-last-address', external_gateway_info })
      return { config: { floatingPoolName: 'public-full', floatingPoolSubnetName: 'full-a' } }
    },
    codes: ['ERR_INFRA_RESOURCES_DEPLETED'],
    says: 'No more IP addresses available',
  },
  'cidr-overlap': {
    given: async world => {
      const id = await world.create('network', { name: 'full-net' })
      await world.create('subnet', { name: 'taken', network_id: id, ip_version: 4, cidr: workers })
      return { config: { networks: { workers, id } } }
    },
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    says: /overlap|taken/,
  },
}

/** Input that OpenStack refuses: the codes, and nothing half-made after the deletion. */
export const defineInfrastructureRefusals = (cloud: () => RunningCloud): void => {
  test.each(Object.entries(refusals))('%s', async (name, { given, codes, says, roles, unlikeGo }) => {
    const world = await newWorld(cloud(), name, roles)
    const input = await given(world, cloud())
    const before = namesIn(await world.content())
    const life = world.life(input)
    const { object } = await life.create()
    expect(object?.status?.lastError?.codes).toEqual(codes)
    expect(object?.status?.lastError?.description).toMatch(says)
    const recorded = recordedCloudError('infrastructure', name)
    if (recorded !== undefined && unlikeGo === undefined) expect(codes).toEqual(recorded.codes)
    if (recorded !== undefined && unlikeGo !== undefined) expect(codes).not.toEqual(recorded.codes)
    const removed = await life.remove()
    // With a wrong login, the deletion fails as well.
    if (removed.object !== undefined) expect(removed.object.status?.lastError?.codes).toEqual(codes)
    expect(namesIn(await world.content())).toEqual(before)
  })
}
