import { findWebhooks } from '../../../functions/find-webhooks.ts'
import { reviewBody } from '../../../sandbox/reviews/reviews.ts'
import { allCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import { type WebhookDefinition, webhookPath } from '../../../shared/webhooks/admission/admission.ts'
import type { KubePrograms } from '../../real/programs/kube-programs.ts'
import { definitions, type RealCluster, startRealCluster } from '../../real/real-cluster.ts'
import { recordedReviews } from '../../recorded/reviews.ts'
import { type WebhookProcess, webhookProcesses } from '../../webhook/webhook-process.ts'
import { manifestEnvironment } from '../bridge/manifest-environment.ts'
import { until } from '../bridge/pace.ts'
import { freshSnapshot, startArgs } from '../bundle-start.ts'
import { podArguments, podEnvironment } from '../pod-environment.ts'

type RecordedFile = Parameters<typeof recordedReviews>[0]

/** kube-apiserver with the objects that reviews read, and webhook processes. */
export interface WebhookWorld {
  readonly cluster: RealCluster
  /** The environment in the manifest, including the limits for V8 and malloc. */
  readonly environment: Readonly<Record<string, string>>
  /** A process with all webhooks, started as its pod starts it. */
  readonly start: () => Promise<WebhookProcess>
  /** Starts any other program that reports its address as webhooks do. */
  readonly startOther: (args: readonly string[]) => WebhookProcess
  /** Includes the proof from the webhook configuration, if the configuration has one. */
  readonly path: () => Promise<string>
  /** The reviews of a file that change something. */
  readonly bodies: (file: RecordedFile) => readonly string[]
  readonly close: () => Promise<void>
}

const bundle = 'dist/bundles/webhook/main.cjs'

export const startWebhookWorld = async (
  programs: KubePrograms,
  files: readonly RecordedFile[],
): Promise<WebhookWorld> => {
  await freshSnapshot(bundle)
  const controlPlane = (await findWebhooks()).find(({ name }) => name === 'controlplane')
  if (controlPlane === undefined) throw new Error('there is no webhook controlplane')
  const cluster = await startRealCluster(programs)
  const processes = webhookProcesses()
  const close = async () => {
    processes.killAll()
    await cluster.close()
  }
  try {
    await prepare(cluster, files)
  } catch (error) {
    await close()
    throw error
  }
  const environment = await manifestEnvironment('webhook')
  const pod = await podEnvironment(await cluster.server.kubeconfig())
  return {
    cluster,
    environment,
    start: async () => {
      const process = processes.start({ ...environment, ...pod, TRELLIS_URL: 'https://127.0.0.1:9443' }, [
        ...podArguments,
        ...startArgs(bundle),
      ])
      await process.ports
      return process
    },
    startOther: args => processes.start({}, args),
    path: () => namedPath(cluster, webhookPath(controlPlane)),
    bodies: file => bodiesOf(controlPlane, file),
    close,
  }
}

const namedPath = async ({ kubernetes }: RealCluster, plain: string): Promise<string> => {
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

const bodiesOf = (definition: WebhookDefinition, file: RecordedFile): readonly string[] =>
  recordedReviews(file)
    .cases.filter(({ response }) => response.allowed && response.patch !== undefined)
    .map(recorded => reviewBody(definition, recorded))

/** Creates the objects that reviews read. */
const prepare = async ({ kubernetes }: RealCluster, files: readonly RecordedFile[]): Promise<void> => {
  for (const crd of [...allCrds(), ...resourceCrds()]) await kubernetes.create(definitions, crd)
  for (const { resource } of [clusterKind, managedResourceKind])
    await until(`kube-apiserver to serve ${resource.plural}`, () =>
      kubernetes.list(resource).then(
        () => true,
        () => false,
      ),
    )
  const clusters = files.flatMap(file => Object.entries(recordedReviews(file).clusters))
  for (const name of ['trellis', ...clusters.map(([namespace]) => namespace)])
    if ((await kubernetes.get(namespaces, { name })) === undefined)
      await kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const [, object] of clusters)
    if ((await kubernetes.get(clusterKind.resource, { name: object.metadata.name })) === undefined)
      await kubernetes.create(clusterKind.resource, object)
}
