import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { pushChart } from '../../../build/images/images.ts'
import { outputOf } from '../../../build/programs/programs.ts'
import { packageVersion } from '../../../build/project/package-version.ts'
import { findProject } from '../../../cli/project/find-project.ts'
import { projectCharts } from '../../../cli/project/project-charts.ts'
import { linesOf, wholeAccount } from '../../../sandbox/providers/aws/demo/whole-account.ts'
import { furnishedZone } from '../../../sandbox/providers/aws/furnished-zone.ts'
import { type Aws, addHostedZone, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { gardenObjects, projectObjects, seedSpec } from '../garden/landscape.ts'
import { runPageCommand, runTrellisOfPage } from '../garden/page-command.ts'
import { shoot, shootProviders, withPart } from '../garden/shoot-objects.ts'
import { nextVersion } from '../garden/start-seed.ts'
import type { RealCluster } from '../real-cluster.ts'
import { untilPasses } from '../until-passes.ts'
import { describeWith } from '../with-part.ts'
import { garden as gardenObject, reconciled } from './runtime-objects.ts'
import { type GardenOperator, startOperator } from './start-operator.ts'

const section = 'With gardener-operator'
const core = 'core.gardener.cloud/v1beta1'
const extensions = 'extensions.gardener.cloud/v1alpha1'
const name = 'trellis-aws'
const inRuntime = `runtime-extension-${name}`
/** Longer than any step takes on a slow machine. */
const patience = { timeoutMs: 240_000, intervalMs: 500 }

interface Named {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

const registration: Named = { apiVersion: core, kind: 'ControllerRegistration', name }
const deployment: Named = { apiVersion: 'core.gardener.cloud/v1', kind: 'ControllerDeployment', name }
const bridge: Named = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'bridge', namespace: inRuntime }
const admission: Named = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: `${name}-admission`,
  namespace: 'garden',
}

/** Secrets of admission in the namespace `garden`, which others use too, and an account that Gardener retains. */
const remaining =
  /^Secret garden\/\S*admission-aws-webhook|^ServiceAccount kube-system\/extension-admission-trellis-aws$/

/** Objects that the controller of Gardens creates in the runtime cluster. */
const gardenNeeds: readonly KubernetesObject[] = [
  {
    apiVersion: extensions,
    kind: 'DNSRecord',
    metadata: { name: 'virtual', namespace: 'garden' },
    spec: {
      ...{ type: 'aws-route53', class: 'garden', secretRef: { name: 'dns', namespace: 'garden' } },
      ...{ name: `api.virtual.${furnishedZone.name}`, recordType: 'A', values: ['192.0.2.10'], ttl: 120 },
    },
  },
  {
    apiVersion: extensions,
    kind: 'BackupBucket',
    metadata: { name: 'garden-backup' },
    spec: {
      ...{ type: 'aws', class: 'garden', region: 'eu-west-1' },
      secretRef: { name: 'backup', namespace: 'garden' },
    },
  },
]

describeWith('garden-operator', 'gardener-operator', programs => {
  let aws: Aws
  let world: GardenOperator
  let version: string
  let before: readonly (readonly string[])[]
  const undo: (() => unknown)[] = []
  beforeAll(async () => {
    version = await packageVersion()
    aws = createAws({ clock: systemClock })
    addHostedZone(aws.account(), furnishedZone)
    const listener = await aws.listen()
    undo.push(listener.close)
    world = await startOperator(programs, Number(new URL(listener.url).port))
    undo.push(world.close)
    const { runtime, garden, registry } = world
    await runtime.create([gardenObject])
    const { kubernetes, resourceOf } = runtime
    await kubernetes.patch(
      await resourceOf(gardenObject),
      gardenObject.metadata,
      { status: reconciled },
      { subresource: 'status' },
    )
    await garden.create([...gardenObjects, ...projectObjects])
    await untilPasses(async () => {
      const project = await find(garden, { apiVersion: core, kind: 'Project', name: 'lawn' })
      expect(Object(project?.status).phase).toBe('Ready')
    }, patience)
    before = await everything()
    await runTrellisOfPage({
      ...{ section, provider: 'aws', that: 'trellis chart' },
      replaced: { 'registry.example.com/charts': `${registry.host}/charts` },
      more: ['--plain-http', '--out', garden.folder],
    })
    const project = { ...(await findProject(process.cwd())), version: nextVersion }
    for (const { name, metadata, archive } of await projectCharts(project)) {
      const reference = `${registry.host}/charts/${name}:${nextVersion}`
      await pushChart({ reference, metadata, archive, plainHttp: true })
    }
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  interface Install {
    /** With the charts of admission. Default: true. */
    readonly admission?: boolean
    readonly charts?: string
    readonly more?: readonly string[]
  }
  const install = async (provider: string, { admission = true, charts = version, more = [] }: Install = {}) =>
    runPageCommand({
      section,
      provider,
      ...(admission && { that: '--admission-runtime' }),
      replaced: { 'registry.example.com/charts': `${world.registry.inside}/charts`, '1.2.3': charts },
      more: ['--mode', 'seed-process', ...more],
      kubeconfig: await world.runtime.server.kubeconfig(),
    })
  const find = async (cluster: RealCluster, { apiVersion, kind, ...of }: Named) =>
    cluster.kubernetes.get(await cluster.resourceOf({ apiVersion, kind }), of)
  const extension = (of = name) =>
    find(world.runtime, { apiVersion: 'operator.gardener.cloud/v1alpha1', kind: 'Extension', name: of })
  /** Waits until the operator has seen the newest generation of an Extension, and it has these conditions. */
  const installed = (more: readonly string[] = [], of = name) =>
    untilPasses(async () => {
      const { metadata, status } = Object(await extension(of))
      expect(status?.observedGeneration, world.output()).toBe(metadata?.generation)
      const conditions: readonly { readonly type: string; readonly status: string }[] = status.conditions
      const states = conditions.map(({ type, status: state }) => `${type}=${state}`)
      expect(states, JSON.stringify(conditions)).toEqual(expect.arrayContaining(['Installed=True', ...more]))
    }, patience)
  const healthy = ['RuntimeHealthy=True', 'AdmissionHealthy=True']
  const textOf = async (of: Named) => JSON.stringify(Object(await find(world.runtime, of)).spec.template.spec)

  /** Returns the objects of both clusters, without those that Kubernetes itself creates all the time. */
  async function everything(): Promise<readonly (readonly string[])[]> {
    const all = async (cluster: RealCluster) => {
      const kubeconfig = `--kubeconfig=${await cluster.server.kubeconfig()}`
      const listed = ['api-resources', '--verbs=list,delete', '-o', 'name', kubeconfig]
      const resources = (await outputOf('kubectl', listed)).split('\n')
      const kinds = resources.filter(one => !/^(?:events|endpoints|endpointslices|leases|pods)\b/.test(one))
      const format = '{range .items[*]}{.kind} {.metadata.namespace}/{.metadata.name}{"\\n"}{end}'
      const selector = '--selector=!resources.gardener.cloud/garbage-collectable-reference'
      const args = ['get', kinds.join(), '--all-namespaces', selector, `-o=jsonpath=${format}`, kubeconfig]
      return (await outputOf('kubectl', args)).split('\n').toSorted()
    }
    return [await all(world.runtime), await all(world.garden)]
  }

  test('installs an extension in the virtual garden, and its part for the garden in the runtime cluster', async () => {
    await install('aws')
    await installed(['RequiredRuntime=True', 'RequiredVirtual=False', ...healthy])
    const { garden, runtime, registry } = world
    await untilPasses(async () => {
      expect(Object(await find(garden, registration)).spec.deployment).toMatchObject({ policy: 'OnDemand' })
      expect(Object(await find(garden, deployment)).helm).toMatchObject({
        ociRepository: { ref: `${registry.inside}/charts/trellis:${version}` },
        values: { mode: 'seed-process' },
      })
    }, patience)
    const running = (await runtime.machine.containers()).map(
      ({ namespace, image }) => `${namespace} ${image}`,
    )
    expect(running).toContain(`${inRuntime} registry.invalid/trellis/seed:${version}`)
    expect(running).toContain(`garden registry.invalid/trellis/webhook:${version}`)
    expect(await textOf(bridge)).toContain(
      '"BackupBucket/aws/garden,BackupEntry/aws/garden,DNSRecord/aws-route53/garden"',
    )
  })

  test('runs the functions that the garden needs', async () => {
    const { kubernetes, resourceOf, create } = world.runtime
    await create(gardenNeeds)
    for (const { apiVersion, kind, metadata } of gardenNeeds)
      await untilPasses(async () => {
        const found = await kubernetes.get(await resourceOf({ apiVersion, kind }), metadata)
        expect(Object(found?.status).lastOperation, JSON.stringify(found?.status)).toMatchObject({
          ...{ state: 'Succeeded', progress: 100 },
        })
      }, patience)
    const lines = linesOf(await wholeAccount(aws))
    expect(lines).toContainEqual(expect.stringMatching(/^bucket .*garden-backup/))
    expect(lines).toContainEqual(expect.stringMatching(/^DNS record .*api\.virtual/))
  })

  test('refuses and accepts Shoots by its pod in the runtime cluster', async () => {
    for (const provider of shootProviders.filter(one => one !== 'aws')) {
      await install(provider, { admission: false })
      await installed([], `trellis-${provider}`)
    }
    const vpc = ['spec', 'provider', 'infrastructureConfig', 'networks', 'vpc']
    await untilPasses(async () => {
      const refusal = await world.garden.refusalOf(withPart(shoot, vpc, { cidr: '10.250.0.0/33' }))
      expect(refusal).toMatch(/vpc\.cidr/)
    }, patience)
    expect(await world.garden.refusalOf(shoot)).toBe(undefined)
  })

  test('is required as soon as a seed is', async () => {
    const { kubernetes, resourceOf, create } = world.garden
    const seed: KubernetesObject = {
      apiVersion: core,
      kind: 'Seed',
      metadata: { name: 'one' },
      spec: seedSpec('one'),
    }
    await create([seed])
    const installation = await untilPasses(async () => {
      const kind = { apiVersion: core, kind: 'ControllerInstallation' }
      const { items } = await kubernetes.list(await resourceOf(kind))
      const [found] = items.filter(({ spec }) => Object(spec).registrationRef.name === name)
      expect(Object(found?.spec)).toMatchObject({ deploymentRef: { name }, seedRef: { name: 'one' } })
      return { ...kind, metadata: { name: String(found?.metadata.name) } }
    }, patience)
    // No gardenlet serves the seed.
    for (const state of ['True', 'False']) {
      const now = new Date(systemClock.now()).toISOString()
      const required = {
        ...{ type: 'Required', status: state, reason: 'Played', message: 'the suite plays gardenlet' },
        ...{ lastTransitionTime: now, lastUpdateTime: now },
      }
      await kubernetes.patch(
        await resourceOf(installation),
        installation.metadata,
        { status: { conditions: [required] } },
        { subresource: 'status' },
      )
      await installed([`RequiredVirtual=${state}`])
    }
    await kubernetes.delete(await resourceOf(seed), seed.metadata)
    await untilPasses(async () => {
      expect(await kubernetes.get(await resourceOf(seed), seed.metadata)).toBe(undefined)
    }, patience)
  })

  test('changes nothing by the same command', async () => {
    const versions = async () =>
      Promise.all([
        extension().then(found => found?.metadata.generation),
        find(world.garden, registration).then(found => found?.metadata.resourceVersion),
        find(world.garden, deployment).then(found => found?.metadata.resourceVersion),
      ])
    const found = await versions()
    await install('aws')
    await installed()
    expect(await versions()).toEqual(found)
  })

  test.each([
    { what: 'takes other values', charts: () => version, first: '1', second: undefined, level: 'debug' },
    { what: 'is upgraded', charts: () => nextVersion, first: undefined, second: '2', level: 'info' },
    { what: 'is rolled back', charts: () => version, first: undefined, second: undefined, level: 'info' },
  ])('$what by the same command', async ({ charts: of, first, second, level }) => {
    const charts = of()
    const functionEnv = { ...(first && { FIRST: first }), ...(second && { SECOND: second }) }
    const values = join(world.garden.folder, 'values.yaml')
    await writeFile(values, stringify({ functionEnv, logLevel: level }))
    await install('aws', { charts, more: ['--tag', charts, '--values', values] })
    await installed(healthy)
    for (const one of [bridge, admission]) {
      const text = await textOf(one)
      expect(text).toContain(`:${charts}"`)
      expect(text).toContain(`{"name":"TRELLIS_LOG_LEVEL","value":"${level}"}`)
    }
    const text = await textOf(bridge)
    expect([text.includes('FIRST'), text.includes('SECOND')]).toEqual([Boolean(first), Boolean(second)])
    await untilPasses(async () => {
      const { helm } = Object(await find(world.garden, deployment))
      expect(helm.ociRepository.ref).toContain(`/trellis:${charts}`)
      expect(helm.values.functionEnv ?? {}).toEqual(functionEnv)
    }, patience)
    expect(await world.garden.refusalOf(shoot)).toBe(undefined)
  })

  test('leaves nothing once the garden needs nothing', async () => {
    const { runtime, garden } = world
    const { kubernetes, resourceOf } = runtime
    const kind = { apiVersion: 'operator.gardener.cloud/v1alpha1', kind: 'Extension' }
    const remove = async (provider: string) =>
      kubernetes.delete(await resourceOf(kind), { name: `trellis-${provider}` })
    await expect(remove('aws')).rejects.toThrow('still being required')
    for (const object of gardenNeeds) await kubernetes.delete(await resourceOf(object), object.metadata)
    await untilPasses(async () => {
      const lines = linesOf(await wholeAccount(aws))
      expect(lines.filter(line => /garden-backup|api\.virtual/.test(line))).toEqual([])
    }, patience)
    await kubernetes.patch(await resourceOf(gardenObject), gardenObject.metadata, {
      spec: {
        dns: null,
        runtimeCluster: { ingress: { domains: [{ name: `runtime.${furnishedZone.name}` }] } },
        virtualCluster: { dns: { domains: [{ name: `virtual.${furnishedZone.name}` }] } },
      },
    })
    await installed(['RequiredRuntime=False', 'AdmissionHealthy=True'])
    await untilPasses(async () => {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', name: inRuntime }
      expect(await find(runtime, namespace)).toBe(undefined)
    }, patience)
    expect(await find(garden, registration)).toBeDefined()
    for (const provider of shootProviders) await remove(provider)
    await untilPasses(async () => {
      const after = (await everything()).map(lines => lines.filter(line => !remaining.test(line)))
      expect(after, world.output()).toEqual(before)
    }, patience)
  })
})
