import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { machinePlatform, openLayout, unpackImage } from '../../../build/images/images.ts'
import { knativeDefinitions } from '../../../sandbox/knative/knative.ts'
import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { verticalPodAutoscalers } from '../../definitions/vertical-pod-autoscaler.ts'
import { define } from '../definitions.ts'
import { giveZone, recordNumber, shootObjects } from '../dns-shoot.ts'
import type { KubePrograms } from '../programs/kube-programs.ts'
import type { Regctl } from '../programs/regctl.ts'
import { startRealCluster } from '../real-cluster.ts'
import { reconcileMessage } from '../reconcile-message.ts'
import { runFunction } from './run-function.ts'

interface InstallOptions {
  readonly helm: (...args: readonly string[]) => Promise<string>
  readonly kube: KubePrograms
  readonly regctl: Regctl
  readonly scratch: string
  /** `oci://registry/charts/trellis`. */
  readonly chart: string
  readonly version: string
  readonly images: Readonly<Record<string, string>>
}

const name = 'aws-dnsrecord'
const namespace = 'trellis'

/**
 * Installs a chart of a registry on kube-apiserver with one function, pulls the image that the function's Knative
 * Service names, and runs it with its service account until it has handled the event of a DNSRecord.
 */
export const installAndRun = async ({
  helm,
  kube,
  regctl,
  scratch,
  chart,
  version,
  images,
}: InstallOptions) => {
  const cluster = await startRealCluster(kube)
  const aws = createAws()
  giveZone(aws.account())
  const cloud = await aws.listen()
  try {
    await define(cluster.kubernetes, [...allCrds(), ...knativeDefinitions(), verticalPodAutoscalers])
    await cluster.create(shootObjects)
    const values = join(scratch, 'values.json')
    await writeFile(
      values,
      JSON.stringify({ seed: 'real', images, functions: { [name]: { enabled: true } } }),
    )
    await helm(
      ...['install', 'trellis', chart, '--version', version, '--namespace', namespace, '--create-namespace'],
      ...['--values', values, '--kubeconfig', await cluster.server.kubeconfig()],
    )
    const imageOf = async (object: Pick<KubernetesObject, 'apiVersion' | 'kind'>, of: string) => {
      const found = await cluster.kubernetes.get(await cluster.resourceOf(object), { name: of, namespace })
      if (found === undefined) throw new Error(`the chart installed no ${object.kind} ${of}`)
      const { template } = found.spec as unknown as PodOwner
      return template.spec.containers[0].image
    }
    const image = await imageOf({ apiVersion: 'serving.knative.dev/v1', kind: 'Service' }, name)
    const layout = join(scratch, 'pulled')
    await regctl('image', 'copy', '--platform', machinePlatform(), image, `ocidir://${layout}:function`)
    const root = join(scratch, 'root')
    await unpackImage({ layout, tag: 'function', into: root })
    const { config = {} } = await openLayout(layout).readConfiguration('function')
    const running = await runFunction(root, config, {
      kubeconfig: await cluster.server.kubeconfig({ namespace, name }),
      env: { AWS_ENDPOINT_URL: cloud.url },
    })
    try {
      const healthy = (await fetch(`${running.url}/health/readiness`)).status
      const created = await cluster.kubernetes.create(kinds.DNSRecord.resource, recordNumber(1))
      const { headers, body } = reconcileMessage('DNSRecord', created)
      const answer = await fetch(running.url, { method: 'POST', headers, body })
      if (answer.status !== 204)
        throw new Error(`${answer.status} ${await answer.text()}: ${running.output()}`)
      const { metadata } = created
      const record = await cluster.kubernetes.get(kinds.DNSRecord.resource, {
        name: metadata.name,
        namespace: metadata.namespace ?? '',
      })
      const bridge = await imageOf({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'bridge')
      return { bridge, healthy, record }
    } finally {
      await running.stop()
    }
  } finally {
    await cloud.close()
    await cluster.close()
  }
}

interface PodOwner {
  readonly template: { readonly spec: { readonly containers: readonly [{ readonly image: string }] } }
}
