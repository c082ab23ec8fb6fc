import { expect, test } from 'vitest'
import { plain } from '../cloud/rest.ts'
import { applicationCredential } from '../cloud/seed.ts'
import type { RunningCloud } from '../cloud/start-cloud.ts'
import { comparableContent, namesIn, withoutAllocations } from '../lives/cloud-content.ts'
import type { createFigures } from '../lives/figures.ts'
import { type LedOperation, succeeded } from '../lives/life.ts'
import { recordedCloudLife } from '../lives/recordings.ts'
import {
  asGoLeavesIt,
  type InfrastructureInput,
  type InfrastructureWorld,
  newWorld,
  sharedStatus,
} from './world.ts'

export interface InfrastructureCase {
  /** Creates what the shoot's owner has made before, and returns the input. */
  readonly given: (
    world: InfrastructureWorld,
    cloud: RunningCloud,
  ) => Promise<InfrastructureInput> | InfrastructureInput
  /** The names of what stays after the deletion. */
  readonly stays?: Readonly<Record<string, readonly string[]>>
}

/** By the names of the recordings. */
export const infrastructureCases: Readonly<Record<string, InfrastructureCase>> = {
  default: { given: () => ({}) },
  'dual-stack-pool': {
    given: world => ({
      config: {
        floatingPoolName: 'public-dual',
        networks: { workers: '10.250.0.0/16', ipv6: { subnetPoolID: world.offeredId('<subnet pool v6>') } },
      },
      ipFamilies: ['IPv4', 'IPv6'],
      profile: { dnsServers: ['10.10.10.10', '2001:db8::53'] },
    }),
  },
  'own-network': {
    given: async world => ({
      config: {
        networks: { workers: '10.250.0.0/16', id: await world.create('network', { name: 'custom-net' }) },
      },
    }),
    stays: { networks: ['custom-net'] },
  },
  'own-router': {
    given: async world => ({
      config: {
        networks: {
          workers: '10.250.0.0/16',
          router: {
            id: await world.create('router', {
              name: 'custom-router',
              external_gateway_info: { network_id: world.offeredId('<network public>') },
            }),
          },
        },
      },
    }),
    stays: { routers: ['custom-router'] },
  },
  'floating-subnet': {
    given: () => ({ config: { floatingPoolName: 'public-multi', floatingPoolSubnetName: 'fip-*' } }),
  },
  'subnet-pool': {
    given: world => ({
      nodes: null,
      config: { networks: { subnetPool: { id: world.offeredId('<subnet pool v4>'), prefixLength: 26 } } },
    }),
  },
  'use-snat-false': { given: () => ({ profile: { useSNAT: false } }) },
  'deprecated-worker-field': { given: () => ({ config: { networks: { worker: '10.250.0.0/16' } } }) },
  'share-network-disabled': {
    given: () => ({ config: { networks: { workers: '10.250.0.0/16', shareNetwork: { enabled: false } } } }),
  },
  'keystone-unversioned-url': { given: (_, cloud) => ({ secret: { authURL: cloud.url('identity') } }) },
  'app-credential-id': {
    given: async ({ session, project }, cloud) => {
      const { json } = await plain(
        'POST',
        `${cloud.authUrl}/users/${session.userId}/application_credentials`,
        {
          token: session.token,
          body: { application_credential: { ...applicationCredential, name: `${project.user}-app` } },
        },
      )
      return {
        secret: {
          username: null,
          password: null,
          applicationCredentialID: json.application_credential.id,
          applicationCredentialSecret: applicationCredential.secret,
        },
      }
    },
  },
  // Neither is in the recordings: Go writes its subnets at every reconcile (D24).
  'no-dns-servers': { given: () => ({ profile: { dnsServers: [] } }) },
}

/** Each case from a creation to a deletion, with a take-over from the Go extension in between. */
export const defineInfrastructureLives = (
  cloud: () => RunningCloud,
  figures: ReturnType<typeof createFigures>,
): void => {
  test.each(Object.entries(infrastructureCases))(
    '%s: created, left alone, taken over, and deleted',
    async (name, { given, stays = {} }) => {
      const recorded = recordedCloudLife('infrastructure', name)
      const world = await newWorld(cloud(), name)
      const input = await given(world, cloud())
      const life = world.life(input)

      const created = await life.create()
      const { status } = succeeded(created)
      const roles = await world.roles()
      if (recorded) {
        const { egressCIDRs, networking, providerStatus, state, spec } = {
          ...recorded.object.status,
          ...recorded.object,
        }
        expect(roles(Object((await life.live()) as object).spec.providerConfig)).toEqual(spec.providerConfig)
        expect(roles(sharedStatus(status))).toEqual(
          withoutAllocated({ egressCIDRs, networking, providerStatus, state }),
        )
        expect(comparableContent(roles(await world.content()))).toMatchObject(
          comparableContent(recorded.content),
        )
      }

      const idle = await life.idle()
      succeeded(idle)
      expect(idle.writes).toEqual([])
      expect(sharedStatus((await life.live())?.status)).toEqual(sharedStatus(status))
      life.close()

      const taken = world.life(input, await asGoLeavesIt(world, status))
      const before = await world.content()
      const takeOver = await taken.create()
      succeeded(takeOver)
      expect(takeOver.writes).toEqual([])
      expect(await world.content()).toEqual(before)
      expect(sharedStatus(takeOver.object?.status)).toEqual(sharedStatus(status))

      const removed = await taken.remove()
      expect(removed.object?.status?.lastError).toBeUndefined()
      expect(removed.object).toBeUndefined()
      expect(namesIn(await world.content())).toEqual(stays)
      figures.add(name, { create: created, idle, delete: removed }, recorded)
      taken.close()
    },
  )
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

/** `REPEATS=5`: leads the default case so often, once everything is compiled, and prints the medians. */
export const defineInfrastructureMedians = (
  cloud: () => RunningCloud,
  figures: ReturnType<typeof createFigures>,
): void => {
  const repeats = Number(process.env.REPEATS ?? 0)
  test.runIf(repeats > 0)('the default case, repeated', async () => {
    const lives: Record<'create' | 'idle' | 'delete', LedOperation>[] = []
    for (let index = 0; index <= repeats; index++) {
      const life = (await newWorld(cloud(), `repeated-${index}`)).life()
      const created = await life.create()
      succeeded(created)
      const idle = await life.idle()
      const removed = await life.remove()
      expect(removed.object).toBeUndefined()
      // The first one compiles.
      if (index > 0) lives.push({ create: created, idle, delete: removed })
      life.close()
    }
    const medianOf = (operation: 'create' | 'idle' | 'delete') => {
      const all = lives.map(life => life[operation])
      return {
        calls: all[0]?.calls ?? [],
        wallMs: median(all.map(({ wallMs }) => wallMs)),
        cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
      }
    }
    figures.add(
      `median of ${repeats}`,
      { create: medianOf('create'), idle: medianOf('idle'), delete: medianOf('delete') },
      recordedCloudLife('infrastructure', 'default'),
    )
  })
}

const withoutAllocated = (value: object): object => JSON.parse(withoutAllocations(JSON.stringify(value)))
