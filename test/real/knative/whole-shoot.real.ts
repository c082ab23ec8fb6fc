import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base64Text } from '../../../sandbox/providers/aws/demo/shoot-keys.ts'
import { linesOf, wholeAccount } from '../../../sandbox/providers/aws/demo/whole-account.ts'
import { asleep, during, wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { statesOf } from '../../shoot/observed-seed.ts'
import { cloudWrites, namespace } from '../../shoot/whole-shoot-world.ts'
import { describeWith } from '../with-part.ts'
import { patiently } from './patiently.ts'
import { shootDeployments } from './shoot-deployments.ts'
import { startWholeShoot, type WholeShoot } from './start-whole-shoot.ts'

const { base, compact, seedProcess } = await shootDeployments()
const [pool] = wholeShoot.spec.provider.workers

/** Another Kubernetes version, a machine more, another runtime, and an extension. */
const changed: typeof wholeShoot = {
  ...wholeShoot,
  spec: {
    ...wholeShoot.spec,
    kubernetes: { version: '1.34.1' },
    extensions: [{ type: 'local-ext-shoot' }],
    provider: {
      ...wholeShoot.spec.provider,
      workers: pool ? [{ ...pool, minimum: 3, maximum: 3, containerRuntimes: [{ type: 'gvisor' }] }] : [],
    },
  },
}

/** One of gardenlet's components, which the webhook of AWS changes. */
const controllerManager = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'kube-controller-manager',
    namespace,
    labels: { 'provider.extensions.gardener.cloud/mutated-by-controlplane-webhook': 'true' },
  },
  spec: {
    selector: { matchLabels: { app: 'kube-controller-manager' } },
    replicas: 0,
    template: {
      metadata: { labels: { app: 'kube-controller-manager' } },
      spec: {
        containers: [{ name: 'kube-controller-manager', image: 'a', command: ['/kube-controller-manager'] }],
      },
    },
  },
}

describeWith('knative', 'a whole shoot on Knative', programs => {
  let world: WholeShoot
  let before: readonly string[]
  let seed: ReturnType<WholeShoot['openSeed']>
  beforeAll(async () => {
    world = await startWholeShoot(programs)
    before = linesOf(await wholeAccount(world.aws))
    await world.apply(base)
  })
  afterAll(() => world?.close())

  const states = async () => new Set(Object.values(await statesOf(world.cluster.kubernetes, namespace)))
  const machines = () => seed.machines.nodes(namespace).map(({ ready }) => ready)
  const reconcile = async (shoot: typeof wholeShoot) => {
    cloudWrites(world.aws)
    await seed.gardenlet.reconcile(shoot)
    return cloudWrites(world.aws)
  }
  /** Returns the component as JSON after the webhooks. */
  const reviewed = () => patiently(async () => JSON.stringify(await world.cluster.dryRun(controllerManager)))

  describe('with one process per function', () => {
    test('is created', async () => {
      seed = world.openSeed()
      await seed.gardenlet.prepareSeed()
      await seed.gardenlet.reconcile(wholeShoot)
      expect(await states()).toEqual(new Set(['Create Succeeded']))
      expect(machines()).toEqual(['True', 'True'])
    })

    test('is reconciled without a write to AWS', async () => {
      expect(await reconcile(wholeShoot)).toEqual({})
    })

    test('has objects that the webhooks changed, through their Services', async () => {
      const configs = await world.list(
        'extensions.gardener.cloud/v1alpha1',
        'OperatingSystemConfig',
        namespace,
      )
      const ofAgents = configs.filter(({ spec }) => Object(spec).purpose === 'reconcile')
      expect(ofAgents).toMatchObject([{ spec: { criConfig: { cgroupDriver: 'systemd' } } }])
      expect(await reviewed()).toContain('--cloud-provider=external')
    })

    test('and its webhooks answer each request while their CA is replaced', async () => {
      const bundle = async () => {
        const configurations = await world.list(
          'admissionregistration.k8s.io/v1',
          'MutatingWebhookConfiguration',
        )
        const own = configurations.find(({ metadata }) => metadata.name === 'gardener-extension-provider-aws')
        const [webhook] = (own as unknown as { webhooks: { clientConfig: { caBundle: string } }[] }).webhooks
        return base64Text(webhook?.clientConfig.caBundle).trim()
      }
      const old = await bundle()
      const secrets = await world.list('v1', 'Secret', 'trellis')
      const authorities = secrets.filter(
        ({ metadata }) => metadata.labels?.name === 'ca-provider-aws-webhook',
      )
      expect(authorities).toHaveLength(1)
      await world.cluster.remove(authorities.map(one => ({ ...one, apiVersion: 'v1', kind: 'Secret' })))
      do {
        expect(await reviewed()).toContain('--cloud-provider=external')
        await sleep(100)
      } while ((await bundle()).includes(old))
    })

    test('has a bastion that comes and goes', async () => {
      const { status } = await seed.gardenlet.openBastion(wholeShoot, {
        name: 'cli',
        cidr: '198.51.100.9/32',
      })
      expect(status?.ingress?.ip).toMatch(/^\d+\./)
      await seed.gardenlet.closeBastion(wholeShoot, 'cli')
    })

    test('gets another version, more machines, a runtime and an extension', async () => {
      expect(await reconcile(changed)).toMatchObject({ RunInstances: 3, TerminateInstances: 2 })
      expect(machines()).toEqual(['True', 'True', 'True'])
    })

    test('does not notice that the mode changes to the seed process', async () => {
      cloudWrites(world.aws)
      await world.toSeedProcess(base, seedProcess)
      expect(cloudWrites(world.aws)).toEqual({})
      expect(await reconcile(changed)).toEqual({})
    })
  })

  describe('with one process per provider, after the seed process,', () => {
    test('does not notice that the mode changes back', async () => {
      await world.toKnative(seedProcess, compact)
      expect(cloudWrites(world.aws)).toEqual({})
      expect(await reconcile(changed)).toEqual({})
    })

    test('has no machine while it is hibernated, and as many as before when it is awake', async () => {
      expect(await reconcile(asleep(changed))).toEqual({ TerminateInstances: 3 })
      expect(machines()).toEqual([])
      expect(await reconcile(changed)).toEqual({ RunInstances: 3, ModifyNetworkInterfaceAttribute: 3 })
      expect(machines()).toEqual(['True', 'True', 'True'])
    })

    test('is deleted, and nothing of it is left', async () => {
      await seed.gardenlet.delete(during(changed, 'Delete'))
      await seed.gardenlet.removeSeed()
      await seed.close()
      expect(linesOf(await wholeAccount(world.aws))).toEqual(before)
      expect(await states()).toEqual(new Set())
    })

    test('and then no function has pods', async () => {
      await expect.poll(world.awakeFunctions).toEqual([])
    })
  })
})
