import { Agent, request } from 'node:https'
import { findWebhooks } from '../../../functions/find-webhooks.ts'
import { reviewBody } from '../../../sandbox/reviews/reviews.ts'
import { allCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import { webhookPath } from '../../../shared/webhooks/admission/admission.ts'
import { manifestEnvironment } from '../../bridge/manifest-environment.ts'
import type { KubePrograms } from '../../real/programs/kube-programs.ts'
import { definitions, type RealCluster, startRealCluster } from '../../real/real-cluster.ts'
import { recordedReviews } from '../../recorded/reviews.ts'
import { webhookProcesses } from '../../webhook/webhook-process.ts'
import { until, untilServed } from '../bridge/pace.ts'
import { freshSnapshot, startArgs } from '../bundle.ts'
import { podArguments, podEnvironment } from '../pod-environment.ts'

export type RecordedFile = Parameters<typeof recordedReviews>[0]

const bundle = 'dist/bundles/webhook/main.cjs'

/** Starts kube-apiserver with the objects that reviews read, and a process with all webhooks, as its pod starts it. */
export const startWebhookWorld = async (programs: KubePrograms, files: readonly RecordedFile[]) => {
  await freshSnapshot(bundle)
  const controlPlane = (await findWebhooks()).find(({ name }) => name === 'controlplane')
  if (controlPlane === undefined) throw new Error('there is no webhook controlplane')
  const cluster = await startRealCluster(programs)
  const processes = webhookProcesses()
  const agent = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false })
  const close = async () => {
    agent.destroy()
    processes.killAll()
    await cluster.close()
  }
  try {
    await prepare(cluster, files)
    /** The environment in the manifest, including the limits for V8 and malloc. */
    const environment = await manifestEnvironment('webhook')
    const pod = await podEnvironment(await cluster.server.kubeconfig())
    const { pid, ports } = processes.start(
      { ...environment, ...pod, TRELLIS_URL: 'https://127.0.0.1:9443' },
      [...podArguments, ...startArgs(bundle)],
    )
    const { port } = await ports
    const path = await configuredPath(cluster, webhookPath(controlPlane))
    return {
      environment,
      pid,
      /** The reviews of the files that change something. */
      bodies: files.flatMap(file =>
        recordedReviews(file)
          .cases.filter(({ response }) => response.allowed && response.patch !== undefined)
          .map(recorded => reviewBody(controlPlane, recorded)),
      ),
      /** Returns the time to the complete answer in ms. Keeps its connections, as API servers do. */
      review: (body: string) =>
        new Promise<number>((resolve, reject) => {
          const began = performance.now()
          const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
          const sent = request(
            { host: '127.0.0.1', port, path, method: 'POST', agent, headers },
            response => {
              response.on('end', () =>
                response.statusCode === 200
                  ? resolve(performance.now() - began)
                  : reject(new Error(`the review was answered ${response.statusCode}`)),
              )
              response.resume()
            },
          )
          sent.on('error', reject)
          sent.end(body)
        }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits for the webhook configuration, whose path includes a proof. */
const configuredPath = async ({ kubernetes }: RealCluster, plain: string): Promise<string> => {
  let path: string | undefined
  await until('the configuration of the webhooks', async () => {
    const { items } = await kubernetes.list({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      plural: 'mutatingwebhookconfigurations',
      namespaced: false,
    })
    path = items
      .flatMap(({ webhooks }) => (Array.isArray(webhooks) ? webhooks : []))
      .map(webhook => URL.parse(String(Object(Object(webhook).clientConfig).url))?.pathname ?? '')
      .find(named => named.startsWith(`${plain}/`))
    return path !== undefined
  })
  return path ?? plain
}

/** Creates the objects that reviews read. */
const prepare = async ({ kubernetes }: RealCluster, files: readonly RecordedFile[]): Promise<void> => {
  for (const crd of [...allCrds(), ...resourceCrds()]) await kubernetes.create(definitions, crd)
  for (const { resource } of [clusterKind, managedResourceKind]) await untilServed(kubernetes, resource)
  const clusters = new Map(files.flatMap(file => Object.entries(recordedReviews(file).clusters)))
  for (const name of new Set(['trellis', ...clusters.keys()]))
    if ((await kubernetes.get(namespaces, { name })) === undefined)
      await kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const byName = new Map([...clusters.values()].map(cluster => [cluster.metadata.name, cluster]))
  for (const cluster of byName.values()) await kubernetes.create(clusterKind.resource, cluster)
}
