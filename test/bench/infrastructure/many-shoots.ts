import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { clusterOf, namespace, zones } from '../../../functions/aws/infrastructure/testing/objects.ts'
import { stepsOver } from '../../../functions/aws/infrastructure/testing/steps.ts'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import type { Aws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { functionProcesses } from '../../../sandbox/seed/seed.ts'
import { systemClock, virtualClock } from '../../../shared/clock/clock.ts'
import { annotations, finalizerOf, labels } from '../../../shared/contract/constants.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'

/**
 * Serves a seed with many shoots, each in a separate AWS account, with infrastructures that need no change. `env` is
 * the environment of the function's process.
 */
export const serveManyShoots = async (count: number, zoneCount: number) => {
  const aws = createAws({ ec2: { durations: { scale: 0 } }, iam: { durations: { scale: 0 } } })
  const { objects, infrastructures } = await makeShoots(aws, count, zoneCount)
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...objects] })
  // A create request ignores the status.
  const client = createKubernetes({ transport: server.transport, clock: systemClock })
  for (const { metadata, status } of infrastructures) {
    const { name, namespace } = metadata
    const key = { name, ...(namespace !== undefined && { namespace }) }
    await client.patch(kinds.Infrastructure.resource, key, { status }, { subresource: 'status' })
  }
  const [kubernetes, cloud] = await Promise.all([server.listen(), aws.listen()])
  const files = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(files, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(kubernetes.url), { mode: 0o600 })
  return {
    aws,
    server,
    infrastructures,
    kubeconfig,
    env: { AWS_ENDPOINT_URL: cloud.url, ...(await containerEnv()) },
    close: async () => {
      await Promise.all([kubernetes.close(), cloud.close()])
      server.close()
      await rm(files, { recursive: true, force: true })
    },
  }
}

/** Serves a seed with many shoots. The function runs in a separate process, as in its image. */
export const startManyShoots = async (count: number, zoneCount: number) => {
  const { kubeconfig, env, ...shoots } = await serveManyShoots(count, zoneCount)
  const running = await functionProcesses({
    kubeconfig,
    env,
    programOf: ({ name }) => `dist/bundles/${name}/main.cjs`,
  })({ name: 'aws-infrastructure', file: 'functions/aws/infrastructure/function.ts' })
  return {
    ...shoots,
    url: running.url,
    pid: running.pid,
    close: async () => {
      await running.close()
      await shoots.close()
    },
  }
}

/** Creates one infrastructure, and copies its account and its object under other names. */
const makeShoots = async (aws: Aws, count: number, zoneCount: number) => {
  const clock = virtualClock(Date.now())
  const first = stepsOver(aws.requestHandler, clock, { zones: zones(zoneCount) })
  await first.until('reconcile')
  const account = aws.account()
  const snapshot = JSON.stringify(account.snapshot())
  const object = first.object()
  const made = [namespaceOf(), clusterOf(), secretOf(), askedFor(object)]
  const text = JSON.stringify(made)
  const objects: KubernetesObject[] = []
  const infrastructures: KubernetesObject[] = []
  for (let index = 0; index < count; index++) {
    const id = String(200_000_000_000 + index)
    const renamed = (json: string): unknown =>
      JSON.parse(
        json
          .replaceAll(namespace, `shoot--bench--${index}`)
          .replaceAll(account.id, id)
          .replaceAll('infrastructure-uid', `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`)
          .replaceAll(btoa(accessKeyId(undefined)), btoa(accessKeyId(index))),
      )
    aws.account(id).restore(aws.readSnapshot(renamed(snapshot)))
    aws.account(id).register({ accessKeyId: accessKeyId(index), secretAccessKey })
    const shoot = renamed(text) as KubernetesObject[]
    objects.push(...shoot)
    infrastructures.push(...shoot.slice(-1))
  }
  return { objects, infrastructures }
}

/** The container's environment in the manifest, so that the process has the same limits as in a cluster. */
const containerEnv = async (): Promise<Record<string, string>> => {
  const manifest = await readFile(
    new URL('../../../knative/base/functions/aws-infrastructure.yaml', import.meta.url),
    'utf8',
  )
  const services = parseAllDocuments(manifest).flatMap(document => {
    const { data } = service.safeParse(document.toJS())
    return data === undefined ? [] : [data]
  })
  const env = services.flatMap(({ spec }) =>
    spec.template.spec.containers.flatMap(container => container.env),
  )
  return Object.fromEntries(env.map(({ name, value }) => [name, value]))
}

const container = z.object({ env: z.array(z.object({ name: z.string(), value: z.string() })) })
const service = z.object({
  kind: z.literal('Service'),
  spec: z.object({ template: z.object({ spec: z.object({ containers: z.array(container) }) }) }),
})

const secretAccessKey = 'made-up-for-the-benchmark'
const accessKeyId = (index: number | undefined) => `AKIABENCH${String(index ?? 'X').padStart(11, '0')}`

const namespaceOf = (): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
})

const secretOf = (): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'cloudprovider', namespace },
  data: { accessKeyID: btoa(accessKeyId(undefined)), secretAccessKey: btoa(secretAccessKey) },
})

/** An object that gardenlet asks to reconcile again. */
const askedFor = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    finalizers: [finalizerOf('infrastructure')],
    annotations: {
      [annotations.operation]: 'reconcile',
      [annotations.timestamp]: '2026-01-01T00:00:00.000000001Z',
    },
  },
  status: {
    ...(object.status ?? {}),
    lastOperation: {
      type: 'Reconcile',
      state: 'Succeeded',
      progress: 100,
      description: 'Successfully reconciled infrastructure',
      lastUpdateTime: '2026-01-01T00:00:00Z',
    },
  },
})
