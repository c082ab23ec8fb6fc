import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { outputOf } from '../../build/programs/programs.ts'
import { chartFiles } from '../../knative/chart/chart.ts'
import { deployedObjects, deploymentOf } from '../../knative/knative.ts'
import { knativeDefinitions } from '../../sandbox/knative/knative.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { verticalPodAutoscalers } from '../definitions/vertical-pod-autoscaler.ts'
import { define, definitionsBesides, haveDefinitionsBesides } from './definitions.ts'
import {
  expectedObjects,
  type HelmChart,
  installable,
  keyOf,
  objectsOf,
  packChart,
  release,
} from './helm-charts.ts'
import { schemaLocation, writeSchemas } from './kubeconform-schemas.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const knatives = async (): Promise<readonly KubernetesObject[]> =>
  haveDefinitionsBesides
    ? (await Promise.all(['eventing.', 'messaging.', 'serving.', 'sources.'].map(definitionsBesides))).flat()
    : knativeDefinitions()

const values = (names: readonly string[], components: readonly string[] = []) => ({
  seed: 'eu-1',
  functions: Object.fromEntries(names.map(name => [name, { enabled: true }])),
  webhook: { components: Object.fromEntries(components.map(name => [name, { enabled: true }])) },
})

const first = values(['aws-dnsrecord', 'aws-worker'], ['provider-aws'])
const second = { ...values(['aws-dnsrecord', 'calico-network']), logLevel: 'debug' }

describeWith('helm', 'the chart, on kube-apiserver', programs => {
  const kube = inject('kube')
  if ('missing' in kube) return test.skip(kube.missing, () => {})
  let cluster: RealCluster
  let chart: HelmChart
  let kubeconfig: string
  beforeAll(async () => {
    cluster = await startRealCluster(kube)
    await define(cluster.kubernetes, [...(await knatives()), verticalPodAutoscalers])
    chart = await packChart(programs)
    kubeconfig = await cluster.server.kubeconfig()
  })
  afterAll(async () => {
    await chart?.close()
    await cluster?.close()
  })

  const helm = async (verb: string, given: object, ...more: readonly string[]) =>
    chart.helm(verb, ...(await chart.with(given)), '--kubeconfig', kubeconfig, ...more)

  /** Returns the given objects that the server has. */
  const present = async (objects: readonly KubernetesObject[]): Promise<readonly string[]> => {
    const found = await Promise.all(
      objects.map(async object => {
        const { name, namespace } = object.metadata
        const resource = await cluster.resourceOf(object)
        const there = await cluster.kubernetes.get(resource, {
          name,
          ...(namespace !== undefined && { namespace }),
        })
        return there === undefined ? [] : [keyOf(object)]
      }),
    )
    return found.flat()
  }

  const keysOf = (given: object) => expectedObjects(given).map(keyOf)

  test('is installed, upgraded and uninstalled without leftovers', async () => {
    await helm('install', first, '--create-namespace')
    expect(await present(expectedObjects(first))).toEqual(keysOf(first))

    await helm('upgrade', second)
    expect(await present(expectedObjects(second))).toEqual(keysOf(second))
    const gone = expectedObjects(first).filter(object => !keysOf(second).includes(keyOf(object)))
    expect(gone.length).toBeGreaterThan(5)
    expect(await present(gone)).toEqual([])

    await chart.helm('uninstall', release.name, '--namespace', release.namespace, '--kubeconfig', kubeconfig)
    expect(await present([...expectedObjects(first), ...expectedObjects(second)])).toEqual([])
    const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
    const { items } = await cluster.kubernetes.list(secrets, { namespace: release.namespace })
    expect(items).toEqual([])
  })

  test('changes its mode in both directions in place, without leftovers of the other mode', async () => {
    const seedProcess = { ...first, mode: 'seed-process' }
    const leftBy = async (before: object, after: object) => {
      const gone = expectedObjects(before).filter(object => !keysOf(after).includes(keyOf(object)))
      return present(gone)
    }
    await helm('install', first, '--create-namespace')
    const bridge = { name: 'bridge', namespace: release.namespace }
    const uid = async () => {
      const resource = await cluster.resourceOf({ apiVersion: 'apps/v1', kind: 'Deployment' })
      return (await cluster.kubernetes.get(resource, bridge))?.metadata.uid
    }
    const before = await uid()
    await helm('upgrade', seedProcess)
    expect(await present(expectedObjects(seedProcess))).toEqual(keysOf(seedProcess))
    expect(await leftBy(first, seedProcess)).toEqual([])
    expect(await uid()).toBe(before)
    await helm('upgrade', first)
    expect(await present(expectedObjects(first))).toEqual(keysOf(first))
    expect(await uid()).toBe(before)
    await chart.helm('uninstall', release.name, '--namespace', release.namespace, '--kubeconfig', kubeconfig)
  })

  test.each(['--reuse-values', '--reset-then-reuse-values'])(
    'is upgraded from a chart without some of its values, with %s',
    async reuse => {
      const files = await chartFiles(installable)
      const { seed, image, functions, ...others } = parse(files.get('values.yaml') ?? '')
      const { delivery: _, ...broker } = others.broker
      const before = { seed, image, broker, functions: { 'aws-dnsrecord': functions['aws-dnsrecord'] } }
      const former = await packChart(programs, new Map([...files, ['values.yaml', JSON.stringify(before)]]))
      try {
        const place = ['--kubeconfig', kubeconfig]
        await former.helm('install', ...(await former.with(first)), ...place, '--create-namespace')
        await chart.helm(
          ...['upgrade', release.name, chart.archive, '--namespace', release.namespace, ...place],
          ...[reuse, '--set', 'logLevel=debug', '--set', 'functions.aws-worker.maxScale=null'],
        )
        const upgraded = { ...first, logLevel: 'debug' }
        expect(await present(expectedObjects(upgraded))).toEqual(keysOf(upgraded))
        const text = await chart.helm(
          ...['get', 'manifest', release.name, '--namespace', release.namespace, ...place],
        )
        expect(objectsOf(text)).toEqual(expectedObjects(upgraded))
        await chart.helm('uninstall', release.name, '--namespace', release.namespace, ...place)
      } finally {
        await former.close()
      }
    },
  )

  test('an apply without a difference changes nothing', async () => {
    await helm('install', first, '--create-namespace')
    const versions = async () =>
      Promise.all(
        expectedObjects(first).map(async object => {
          const { name, namespace } = object.metadata
          const resource = await cluster.resourceOf(object)
          const live = await cluster.kubernetes.get(resource, {
            name,
            ...(namespace !== undefined && { namespace }),
          })
          return live?.metadata.resourceVersion
        }),
      )
    const before = await versions()
    await helm('upgrade', first)
    expect(await versions()).toEqual(before)
    await chart.helm('uninstall', release.name, '--namespace', release.namespace, '--kubeconfig', kubeconfig)
  })

  test('matches, like the manifests, the schemas of the API server, according to kubeconform', async () => {
    const everything = {
      gardener: { seed: { name: 'eu-1' }, garden: { genericKubeconfigSecretName: 'generic' } },
      ...values(
        installable.functions.map(({ name }) => name),
        [
          ...new Set(
            installable.webhooks.filter(({ target }) => target !== 'garden').map(one => one.component),
          ),
        ],
      ),
      eventPolicies: { enabled: true },
    }
    const objects = expectedObjects(everything)
    const schemas = join(chart.folder, 'schemas')
    await writeSchemas(cluster.server, schemas, objects)
    const kubeconform = (file: string) =>
      outputOf(programs.kubeconform, [
        '-strict',
        '-summary',
        '-cache',
        chart.folder,
        '-schema-location',
        schemaLocation(schemas),
        file,
      ])
    const rendered = join(chart.folder, 'rendered.yaml')
    await writeFile(rendered, await chart.helm('template', ...(await chart.with(everything))))
    const summary = (count: number) =>
      `${count} resources found in 1 file - Valid: ${count}, Invalid: 0, Errors: 0, Skipped: 0`
    expect(await kubeconform(rendered)).toContain(summary(objects.length))

    const base = deployedObjects(
      deploymentOf({ functions: installable.functions, webhooks: installable.webhooks }),
    )
    const manifests = join(chart.folder, 'base.yaml')
    await writeSchemas(cluster.server, schemas, base)
    await writeFile(manifests, base.map(object => stringify(object, { version: '1.1' })).join('---\n'))
    expect(await kubeconform(manifests)).toContain(summary(base.length))

    const [broken] = objects.filter(({ kind }) => kind === 'Deployment')
    const wrong = join(chart.folder, 'wrong.yaml')
    await writeFile(wrong, stringify({ ...broken, spec: { ...(broken?.spec as object), replica: 2 } }))
    await expect(kubeconform(wrong)).rejects.toThrow('replica')
  })
})
