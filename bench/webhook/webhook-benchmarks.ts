import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { type WebhookDefinition, webhookPath } from '../../shared/admission/admission.ts'
import { reviewBody } from '../../shared/admission/testing/play-recording.ts'
import { allCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { kubePrograms } from '../../test/real/programs/kube-programs.ts'
import { partOf } from '../../test/real/programs/part.ts'
import { definitions, type RealCluster, startRealCluster } from '../../test/real/real-cluster.ts'
import { recordedReviews } from '../../test/recorded/reviews.ts'
import { type WebhookProcess, webhookProcesses } from '../../test/webhook/webhook-process.ts'
import { atRate, until } from '../bridge/pace.ts'
import { freshSnapshot, startArgs } from '../bundle-start.ts'
import { atMost, type Benchmark, below, type Figure, here, percentile, type Row } from '../figure.ts'
import { goReviews } from '../measured-elsewhere.ts'
import { podArguments, podEnvironment } from '../pod-environment.ts'
import { usageOf } from '../process-usage.ts'
import { reviewClient } from './review-client.ts'

const bundle = 'dist/bundles/webhook/main.cjs'
const perSecond = 100
const seconds = 20

/** Of the manifest (knative/base/webhook.yaml). */
const manifest = { NODE_OPTIONS: '--max-semi-space-size=2 --max-old-space-size=192', MALLOC_ARENA_MAX: '1' }

interface Kind {
  readonly name: string
  readonly file: 'controlplane.kube-controller-manager' | 'controlplane.operatingsystemconfig'
  /** CPU of the Go extension for one, in ms. */
  readonly goCpuMs: number
}

const kinds: readonly Kind[] = [
  { name: 'kube-controller-manager', file: 'controlplane.kube-controller-manager', goCpuMs: 0.8 },
  { name: 'OperatingSystemConfig', file: 'controlplane.operatingsystemconfig', goCpuMs: 1.9 },
]

/** How long webhooks take, and what the process takes for them, beside the least of an HTTPS server on this machine. */
const webhookReviews: Benchmark = {
  name: 'webhook-reviews',
  run: async (): Promise<readonly Row[]> => {
    const programs = await partOf(() => kubePrograms(process.env), false)
    if ('missing' in programs) return [{ name: 'reviews', missing: programs.missing }]
    await freshSnapshot(bundle)
    const cluster = await startRealCluster(programs)
    const processes = webhookProcesses()
    try {
      return await measureAll(cluster, processes)
    } finally {
      processes.killAll()
      await cluster.close()
    }
  },
}

const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

const measureAll = async (
  cluster: RealCluster,
  processes: ReturnType<typeof webhookProcesses>,
): Promise<readonly Row[]> => {
  for (const crd of [...allCrds(), ...resourceCrds()]) await cluster.kubernetes.create(definitions, crd)
  await until('kube-apiserver to serve Clusters and ManagedResources', () =>
    [clusterKind, managedResourceKind].reduce(
      async (before, { resource }) =>
        (await before) &&
        (await cluster.kubernetes.list(resource).then(
          () => true,
          () => false,
        )),
      Promise.resolve(true),
    ),
  )
  for (const name of ['trellis', ...kinds.flatMap(({ file }) => Object.keys(recordedReviews(file).clusters))])
    if ((await cluster.kubernetes.get(namespaces, { name })) === undefined)
      await cluster.kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const { file } of kinds)
    for (const object of Object.values(recordedReviews(file).clusters))
      if ((await cluster.kubernetes.get(clusterKind.resource, { name: object.metadata.name })) === undefined)
        await cluster.kubernetes.create(clusterKind.resource, object)
  const floor = processes.start({}, ['bench/programs/https-floor.ts', ...(await certificateFiles())])
  const served = processes.start(
    {
      ...manifest,
      ...(await podEnvironment(await cluster.server.kubeconfig())),
      TRELLIS_URL: 'https://127.0.0.1:9443',
    },
    [...podArguments, ...startArgs(bundle)],
  )
  const controlplane = (await findWebhooks()).find(({ name }) => name === 'controlplane')
  if (controlplane === undefined) return [{ name: 'reviews', missing: 'there is no webhook controlplane' }]
  const rows: Row[] = []
  for (const kind of kinds) rows.push(...(await measure(kind, controlplane, served, floor, cluster)))
  const usage = await usageOf(served.pid)
  if (usage !== undefined)
    rows.push({
      name: 'webhooks: memory of the process after that',
      value: usage.residentMb,
      unit: 'MB',
      target: below(100),
      reference: goReviews(112, 'process'),
      with: `peak ${Math.round(usage.peakMb)} MB`,
    })
  return rows
}

const measure = async (
  { name, file, goCpuMs }: Kind,
  definition: WebhookDefinition,
  served: WebhookProcess,
  floor: WebhookProcess,
  { kubernetes }: RealCluster,
): Promise<readonly Figure[]> => {
  const { cases, clusters } = recordedReviews(file)
  const bodies = cases
    .filter(({ response }) => response.allowed && response.patch !== undefined)
    .map(recorded => reviewBody(definition, recorded))
  const path = webhookPath(definition)
  // The code is warm, as it is in a process that runs for weeks.
  await load(served, path, bodies, 5)
  const least = await load(floor, path, bodies, seconds)
  // As gardenlet does all the time. CRDs that are new end a watch, and one that resumes says nothing until something happens.
  for (const { metadata } of Object.values(clusters)) {
    const annotations = { 'trellis.gardener.cloud/benchmark': name }
    await kubernetes.patch(clusterKind.resource, { name: metadata.name }, { metadata: { annotations } })
  }
  const { times, cpuMs } = await load(served, path, bodies, seconds)
  const context = `${perSecond} a second for ${seconds} s, with kube-apiserver, and who asks, on the same machine`
  return [
    {
      name: `webhook ${name}: p99`,
      value: percentile(times, 0.99),
      unit: 'ms',
      target: below(10),
      reference: { name: 'bare HTTPS server of Node', value: percentile(least.times, 0.99), source: here },
      with: `p50 ${percentile(times, 0.5).toFixed(1)} ms, bare ${percentile(least.times, 0.5).toFixed(1)} ms; ${context}`,
    },
    {
      name: `webhook ${name}: CPU of a review`,
      value: cpuMs,
      unit: 'ms CPU',
      target: atMost(goCpuMs * 1.5),
      reference: goReviews(goCpuMs, 'one after the other'),
      with: `bare HTTPS server ${least.cpuMs.toFixed(2)} ms`,
    },
  ]
}

const load = async (
  { ports, pid }: WebhookProcess,
  path: string,
  bodies: readonly string[],
  forSeconds: number,
): Promise<{ readonly times: readonly number[]; readonly cpuMs: number }> => {
  const { post, close } = reviewClient((await ports).port)
  const reviews = Array.from(
    { length: perSecond * forSeconds },
    (_, index) => bodies[index % bodies.length] ?? '',
  )
  const before = await usageOf(pid)
  const times: number[] = []
  await atRate(reviews, perSecond, async body => times.push(await post(path, body)))
  const after = await usageOf(pid)
  close()
  return { times, cpuMs: ((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)) / reviews.length }
}

const certificateFiles = async (): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-floor-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'bench' }], { keySize: 3072 })
  const files = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  await writeFile(files[0] ?? '', key)
  await writeFile(files[1] ?? '', cert)
  return files
}

export const webhookBenchmarks: readonly Benchmark[] = [webhookReviews]
