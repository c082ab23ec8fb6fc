import { expect, onTestFinished, test } from 'vitest'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { systemClock, virtualClock } from '../../../shared/clock/clock.ts'
import { controlPlanePermissions } from '../../../shared/control-plane/control-plane.ts'
import {
  available,
  type HealthSeedOptions,
  newHealthSeed,
  type Reported,
  shootInMemory,
  whileTimePasses,
} from '../../../shared/health/testing/health-seed.ts'
import { recordedConditions, recordedSituations } from '../../../test/recorded/health.ts'
import { controlPlaneHealth } from './health.ts'

const route = 'aws-custom-route-controller'
const names = ['cloud-controller-manager', 'csi-driver-controller', 'csi-snapshot-controller', route]
const unavailable: Reported = {
  Available: ['False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'],
}

const newSeed = async (options: Partial<HealthSeedOptions> = {}) => {
  const shoot = shootInMemory(virtualClock(Date.parse('2026-11-21T12:00:00.250Z')))
  const seed = await newHealthSeed({
    kind: 'ControlPlane',
    definition: controlPlaneHealth,
    permissions: controlPlanePermissions,
    openShoot: shoot.open,
    ...options,
  })
  const warn = (message: string, fields: object = {}) =>
    shoot.event(route, {
      type: 'Warning',
      reason: 'RoutesReconciliation',
      message,
      lastTimestamp: new Date(seed.clock.now() - 1_000).toISOString(),
      ...fields,
    })
  return { ...seed, shoot, warn }
}

/** A seed with every Deployment available. */
const healthySeed = async (options: Partial<HealthSeedOptions> = {}) => {
  const seed = await newSeed(options)
  for (const name of names) await seed.deployment(name, available)
  return seed
}

type Seed = Awaited<ReturnType<typeof newSeed>>

/** Without the tests' own access to the shoot: through the kubeconfig, like a function. */
const byKubeconfig = { openShoot: undefined } as unknown as Partial<HealthSeedOptions>

const broken = { kubeconfig: '"no kubeconfig"' }

/** The state in each situation. A state with `fixed` differs from the recording on purpose. */
const situations: Readonly<Record<string, { readonly seed: () => Promise<Seed>; readonly fixed?: object }>> =
  {
    'nothing deployed': { seed: newSeed },
    'deployments without status': {
      seed: async () => {
        const seed = await newSeed()
        for (const name of names) await seed.deployment(name, {}, { outdated: true })
        return seed
      },
    },
    'all healthy': { seed: healthySeed },
    'one unavailable': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.deployment('cloud-controller-manager', unavailable)
        return seed
      },
    },
    'and one with an old generation': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.deployment('cloud-controller-manager', unavailable)
        await seed.deployment('csi-driver-controller', available, { outdated: true })
        return seed
      },
    },
    ReplicaFailure: {
      seed: async () => {
        const seed = await healthySeed()
        const reported: Reported = { ...available, ReplicaFailure: ['True', 'FailedCreate', 'quota'] }
        await seed.deployment('csi-driver-controller', reported)
        return seed
      },
    },
    'Progressing False': {
      seed: async () => {
        const seed = await healthySeed()
        const reported: Reported = {
          ...available,
          Progressing: ['False', 'ProgressDeadlineExceeded', 'late'],
        }
        await seed.deployment('csi-driver-controller', reported)
        return seed
      },
    },
    'healthy again': {
      seed: async () => {
        const seed = await newSeed()
        await seed.check()
        for (const name of names) await seed.deployment(name, available)
        return seed
      },
    },
    'warning: route limit': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.warn('RouteLimitExceeded: The maximum number of routes has been reached.')
        return seed
      },
    },
    'warning: other text': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.warn('UnauthorizedOperation: not allowed')
        return seed
      },
    },
    'newer Normal event': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.warn('RouteLimitExceeded')
        const lastTimestamp = new Date(seed.clock.now()).toISOString()
        await seed.warn('fine', { type: 'Normal', lastTimestamp })
        return seed
      },
    },
    'warning 6 min old': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.warn('RouteLimitExceeded', {
          lastTimestamp: new Date(seed.clock.now() - 360_000).toISOString(),
        })
        return seed
      },
    },
    'warning with eventTime only (new events API): not seen': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.warn('RouteLimitExceeded', {
          lastTimestamp: null,
          eventTime: '2026-11-21T11:59:58.123456Z',
          action: 'reconcile',
          reportingComponent: route,
          reportingInstance: route,
        })
        return seed
      },
      // H3: the problem is reported.
      fixed: {
        status: 'False',
        reason: 'HealthCheckUnsuccessful',
        message: `[${route}] RoutesReconciliation: RouteLimitExceeded.`,
        codes: ['ERR_INFRA_QUOTA_EXCEEDED'],
      },
    },
    'route controller unhealthy and warning: events are not read': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.deployment(route, {})
        await seed.warn('RouteLimitExceeded')
        return seed
      },
    },
    'no shoot kubeconfig': { seed: () => healthySeed(byKubeconfig) },
    'no shoot kubeconfig and one unhealthy': {
      seed: async () => {
        const seed = await healthySeed(byKubeconfig)
        await seed.deployment('cloud-controller-manager', {})
        return seed
      },
    },
    'broken kubeconfig': {
      seed: async () => {
        const seed = await healthySeed(byKubeconfig)
        await seed.secret('gardener', broken)
        return seed
      },
      // Never quotes a value.
      fixed: {
        message:
          'failed to execute 1 health check: the kubeconfig has no cluster or no user for its current context.',
      },
    },
    'shoot API server not reachable': {
      seed: async () => {
        const seed = await healthySeed(byKubeconfig)
        const { kubeconfig } = seed.shoot.server
        await seed.secret('gardener', { kubeconfig: kubeconfig('http://127.0.0.1:1') })
        return seed
      },
      // Go requests the groups first and names the address.
      fixed: {
        message: `failed to execute 1 health check: failed to retrieve events for ${route} in namespace "shoot--hc--d": connect ECONNREFUSED 127.0.0.1:1.`,
      },
    },
    'healthy again, fallback Secret gardener': {
      seed: async () => {
        const seed = await healthySeed(byKubeconfig)
        const server = createApiServer({ clock: systemClock, objects: [] })
        const { url, close } = await server.listen()
        onTestFinished(async () => {
          server.close()
          await close()
        })
        await seed.secret('gardener', { kubeconfig: server.kubeconfig(url) })
        return seed
      },
    },
    'hibernation enabled': {
      seed: async () => {
        const seed = await newSeed()
        await seed.patchShoot({ hibernation: { enabled: true } })
        return seed
      },
    },
    'woken up, one unhealthy': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.patchShoot({ hibernation: { enabled: true } })
        await seed.check()
        await seed.patchShoot({ hibernation: { enabled: false } })
        await seed.deployment('cloud-controller-manager', {})
        return seed
      },
    },
    'operation migrate: conditions stay': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.deployment('cloud-controller-manager', {})
        await seed.check()
        await seed.patch({ metadata: { annotations: { 'gardener.cloud/operation': 'migrate' } } })
        await seed.deployment('cloud-controller-manager', available)
        return seed
      },
    },
    'annotation removed: checks do not start again by themselves': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.patch({ metadata: { annotations: { 'gardener.cloud/operation': 'migrate' } } })
        await seed.check()
        await seed.patch({ metadata: { annotations: { 'gardener.cloud/operation': null } } })
        return seed
      },
      // H6: they count.
      fixed: { status: 'True', reason: 'HealthCheckSuccessful', message: 'All health checks successful' },
    },
    'after a spec change they do': {
      seed: async () => {
        const seed = await healthySeed()
        await seed.deployment('cloud-controller-manager', {})
        return seed
      },
    },
  }

test.each(recordedSituations().filter(name => !name.startsWith('Worker')))(
  'a recorded situation ends in the same condition, but for what is mended: %s',
  async name => {
    const situation = situations[name]
    if (situation === undefined) throw new Error(`nobody says what is there: ${name}`)
    const seed = await situation.seed()
    const [recorded] = recordedConditions(name)
    // An unreachable server is retried by the clock.
    expect(await whileTimePasses(seed.clock, seed.checked())).toEqual([{ ...recorded, ...situation.fixed }])
  },
)

test.each(['aws-ipam-controller', 'aws-load-balancer-controller'])(
  '%s counts while it has replicas (H7)',
  async name => {
    const seed = await healthySeed()
    await seed.deployment(name, unavailable, { replicas: 0 })
    expect(await seed.checked()).toMatchObject([{ status: 'True' }])
    await seed.deployment(name, unavailable)
    expect(await seed.checked()).toMatchObject([
      {
        status: 'False',
        message: expect.stringMatching(new RegExp(`^deployment "${name}" .*availability\\.$`)),
      },
    ])
  },
)

test('a route controller without replicas costs no request to the shoot', async () => {
  const seed = await healthySeed({ openShoot: () => Promise.reject(new Error('nobody opens it')) })
  expect(await seed.checked()).toMatchObject([{ status: 'Unknown' }])
  await seed.deployment(route, available, { replicas: 0 })
  expect(await seed.checked()).toMatchObject([{ status: 'True' }])
})
