import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linesOf, wholeAccount } from '../../../sandbox/providers/aws/demo/whole-account.ts'
import { furnishedZone } from '../../../sandbox/providers/aws/furnished-zone.ts'
import { type Aws, addHostedZone, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { RealCluster } from '../real-cluster.ts'
import { untilPasses } from '../until-passes.ts'
import { describeWith } from '../with-part.ts'
import { gardenObjects, seedSpec } from './landscape.ts'
import { registrationOf } from './page-command.ts'
import { type Garden, startGarden } from './start-garden.ts'
import { type GardenSeed, nextVersion, startSeed } from './start-seed.ts'

const core = 'core.gardener.cloud/v1beta1'
const seedName = 'one'

interface Condition {
  readonly type: string
  readonly status: string
  readonly message?: string
}

const conditionsOf = (object: KubernetesObject | undefined): readonly Condition[] =>
  Object(object?.status).conditions ?? []

/** Longer than any step takes on a slow machine. */
const patience = { timeoutMs: 540_000, intervalMs: 500 }

describeWith('garden', 'a real garden', programs => {
  let aws: Aws
  let garden: Garden
  let seed: GardenSeed
  let before: readonly string[]
  const undo: (() => unknown)[] = []
  beforeAll(async () => {
    aws = createAws({ clock: systemClock })
    addHostedZone(aws.account(), furnishedZone)
    before = linesOf(await wholeAccount(aws))
    const listener = await aws.listen()
    undo.push(listener.close)
    garden = await startGarden(programs)
    undo.push(garden.close)
    await garden.create(gardenObjects)
    // Gardener refuses a Seed whose types no extension serves.
    await install('aws', '--mode', 'seed-process')
    seed = await startSeed(programs, garden, {
      name: seedName,
      spec: seedSpec(seedName),
      awsPort: Number(new URL(listener.url).port),
    })
    undo.push(seed.close)
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  const install = async (provider: string, ...more: readonly string[]): Promise<string> =>
    registrationOf({ provider, more, kubeconfig: await garden.server.kubeconfig() })
  const find = async (cluster: RealCluster, apiVersion: string, kind: string, name: string, namespace = '') =>
    cluster.kubernetes.get(await cluster.resourceOf({ apiVersion, kind }), {
      name,
      ...(namespace && { namespace }),
    })
  const list = async (cluster: RealCluster, apiVersion: string, kind: string, namespace?: string) =>
    (
      await cluster.kubernetes.list(
        await cluster.resourceOf({ apiVersion, kind }),
        namespace === undefined ? {} : { namespace },
      )
    ).items
  const installationOf = async (provider: string) =>
    (await list(garden, core, 'ControllerInstallation')).find(
      ({ spec }) => Object(spec).registrationRef.name === `trellis-${provider}`,
    )
  /**
   * Waits until an extension has these conditions. Returns its namespace in the seed. Gardener looks only once a minute
   * whether it is `Progressing`.
   */
  const installed = (provider: string, more: readonly string[] = []) =>
    untilPasses(async () => {
      const installation = await installationOf(provider)
      const states = conditionsOf(installation).map(({ type, status }) => `${type}=${status}`)
      expect(states, JSON.stringify(installation?.status)).toEqual(
        expect.arrayContaining(['Valid=True', 'Installed=True', 'Healthy=True', ...more]),
      )
      return `extension-${installation?.metadata.name}`
    }, patience)
  const bridgeIn = async (namespace: string) => {
    const bridge = await find(seed, 'apps/v1', 'Deployment', 'bridge', namespace)
    const { containers } = Object(bridge?.spec).template.spec
    return { image: String(containers[0].image), text: JSON.stringify(containers[0]) }
  }

  /**
   * Waits until a change of the registration of AWS arrives. gardenlet reads the ControllerDeployment from its cache,
   * perhaps before the new one is there, and only a change of a reference makes it read again (v1.149.3).
   */
  const arrives = (check: () => Promise<void>) =>
    untilPasses(check, { ...patience, timeoutMs: 90_000 }).catch(async () => {
      const registrations = await garden.resourceOf({ apiVersion: core, kind: 'ControllerRegistration' })
      const annotations = { 'trellis.test/again': String(systemClock.now()) }
      await garden.kubernetes.patch(registrations, { name: 'trellis-aws' }, { metadata: { annotations } })
      await untilPasses(check, patience)
    })

  test('gets a seed by the functions of Trellis', async () => {
    await untilPasses(async () => {
      const object = await find(garden, core, 'Seed', seedName)
      expect(Object(object?.status).lastOperation, seed.output().slice(-2_000)).toMatchObject({
        ...{ type: 'Reconcile', state: 'Succeeded', progress: 100 },
      })
    }, patience)
    const lines = linesOf(await wholeAccount(aws))
    expect(lines).toContainEqual(expect.stringMatching(/^bucket /))
    expect(lines).toContainEqual(expect.stringMatching(/^DNS record .*ingress\.one/))
  })

  test('reports in conditions that the extension is valid, installed and healthy', async () => {
    await installed('aws', ['Progressing=False'])
    await untilPasses(async () => {
      const states = conditionsOf(await find(garden, core, 'Seed', seedName))
      expect(states.filter(({ status }) => status !== 'True')).toEqual([])
      expect(states.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['ExtensionsReady', 'BackupBucketsReady', 'SeedSystemComponentsHealthy']),
      )
    }, patience)
  })

  test('takes other values by the same command', async () => {
    const values = join(garden.folder, 'values.yaml')
    await writeFile(values, 'functionEnv: { FIRST: "1" }\nimage: { pullSecrets: [one, two] }\n')
    await install('aws', '--mode', 'seed-process', '--values', values)
    await arrives(async () => {
      const { text } = await bridgeIn(await installed('aws'))
      expect(text).toContain('FIRST')
    })
    await writeFile(values, 'functionEnv: { SECOND: "1" }\nimage: { pullSecrets: [two] }\n')
    await install('aws', '--mode', 'seed-process', '--values', values)
    await arrives(async () => {
      const { text } = await bridgeIn(await installed('aws'))
      expect(text).toContain('SECOND')
      expect(text).not.toContain('FIRST')
    })
  })

  test('is upgraded and rolled back', async () => {
    for (const tag of [nextVersion, undefined]) {
      await install('aws', '--mode', 'seed-process', ...(tag === undefined ? [] : ['--tag', tag]))
      await arrives(async () => {
        const { image } = await bridgeIn(await installed('aws'))
        if (tag === undefined) expect(image).not.toContain(nextVersion)
        else expect(image).toContain(`:${tag}`)
      })
    }
  })

  // No controller of Knative runs, so the bridge waits for its SinkBinding, and its former pods go on.
  test('changes the mode to Knative and back', async () => {
    const servicesIn = (namespace: string) => list(seed, 'serving.knative.dev/v1', 'Service', namespace)
    await install('aws')
    await arrives(async () => {
      const namespace = await installed('aws')
      expect((await servicesIn(namespace)).map(({ metadata }) => metadata.name)).toContain('aws-dnsrecord')
    })
    await install('aws', '--mode', 'seed-process')
    await arrives(async () => {
      const namespace = await installed('aws')
      expect(await servicesIn(namespace)).toEqual([])
    })
  })

  test('installs by the policy of the registration', async () => {
    const policy = (name: string) => install('calico', '--mode', 'seed-process', '--policy', name)
    await policy('OnDemand')
    await untilPasses(async () => {
      const registration = await find(garden, core, 'ControllerRegistration', 'trellis-calico')
      // Gardener has seen it.
      expect(registration?.metadata.finalizers).toHaveLength(1)
    }, patience)
    expect(await installationOf('calico')).toBe(undefined)
    await policy('Always')
    const namespace = await installed('calico')
    // There are no shoots.
    await policy('AlwaysExceptNoShoots')
    await untilPasses(async () => {
      expect(await installationOf('calico')).toBe(undefined)
      expect(await find(seed, 'v1', 'Namespace', namespace)).toBe(undefined)
    }, patience)
  })

  test('leaves nothing when the seed goes, and the registration waits for that', async () => {
    const { kubernetes, resourceOf } = garden
    const namespace = await installed('aws')
    const ends = [
      { apiVersion: core, kind: 'ControllerRegistration', name: 'trellis-aws' },
      { apiVersion: 'core.gardener.cloud/v1', kind: 'ControllerDeployment', name: 'trellis-aws' },
    ]
    for (const { name, ...of } of ends) await kubernetes.delete(await resourceOf(of), { name })
    await sleep(5_000)
    expect(await installationOf('aws')).toBeDefined()
    await kubernetes.delete(await resourceOf({ apiVersion: core, kind: 'Seed' }), { name: seedName })
    await untilPasses(async () => {
      expect(await find(garden, core, 'Seed', seedName), seed.output().slice(-2_000)).toBe(undefined)
      for (const { name, apiVersion, kind } of ends)
        expect(await find(garden, apiVersion, kind, name)).toBe(undefined)
    }, patience)
    expect(await find(seed, 'v1', 'Namespace', namespace)).toBe(undefined)
    expect(linesOf(await wholeAccount(aws))).toEqual(before)
  })
})
