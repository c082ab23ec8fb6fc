import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { partOf } from '../../../build/programs/programs.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { kubePrograms } from '../../real/programs/kube-programs.ts'
import { recordedReviews } from '../../recorded/reviews.ts'
import type { WebhookProcess } from '../../webhook/webhook-process.ts'
import { atRate } from '../bridge/pace.ts'
import { atMost, type Benchmark, below, type Figure, here, percentile, type Row } from '../figure.ts'
import { goReviews } from '../measured-elsewhere.ts'
import { usageOf } from '../process-usage.ts'
import { reviewClient } from './review-client.ts'

import { startWebhookWorld, type WebhookWorld } from './webhook-world.ts'

const perSecond = 100
const seconds = 20

interface Kind {
  readonly name: string
  readonly file: 'controlplane.kube-controller-manager' | 'controlplane.operatingsystemconfig'
  /** CPU time of the Go extension for one review, in ms. */
  readonly goCpuMs: number
}

const kinds: readonly Kind[] = [
  { name: 'kube-controller-manager', file: 'controlplane.kube-controller-manager', goCpuMs: 0.8 },
  { name: 'OperatingSystemConfig', file: 'controlplane.operatingsystemconfig', goCpuMs: 1.9 },
]

/** Measures the latency and CPU time of webhooks, compared with a minimal HTTPS server on this machine. */
export const webhookReviews: Benchmark = {
  name: 'webhook-reviews',
  run: async (): Promise<readonly Row[]> => {
    const programs = await partOf(() => kubePrograms(process.env), false)
    if ('missing' in programs) return [{ name: 'reviews', missing: programs.missing }]
    const world = await startWebhookWorld(
      programs,
      kinds.map(({ file }) => file),
    )
    try {
      return await measureAll(world)
    } finally {
      await world.close()
    }
  },
}

const measureAll = async (world: WebhookWorld): Promise<readonly Row[]> => {
  const floor = world.startOther(['test/bench/programs/https-floor.ts', ...(await certificateFiles())])
  const served = await world.start()
  const rows: Row[] = []
  for (const kind of kinds) rows.push(...(await measure(kind, world, served, floor)))
  const usage = await usageOf(served.pid)
  if (usage !== undefined)
    rows.push({
      name: 'webhooks: memory of the process after the reviews',
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
  { cluster: { kubernetes }, path: pathOf, bodies: bodiesOf }: WebhookWorld,
  served: WebhookProcess,
  floor: WebhookProcess,
): Promise<readonly Figure[]> => {
  const { clusters } = recordedReviews(file)
  const bodies = bodiesOf(file)
  const path = await pathOf()
  // Warms up the code, as in a process that runs for weeks.
  await load(served, path, bodies, 5)
  const least = await load(floor, path, bodies, seconds)
  // As gardenlet does continuously. New CRDs end a watch, and a resumed watch is silent until something changes.
  for (const { metadata } of Object.values(clusters)) {
    const annotations = { 'trellis.gardener.cloud/benchmark': name }
    await kubernetes.patch(clusterKind.resource, { name: metadata.name }, { metadata: { annotations } })
  }
  const { times, cpuMs } = await load(served, path, bodies, seconds)
  const context = `${perSecond} a second for ${seconds} s, with kube-apiserver and the client on the same machine`
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
