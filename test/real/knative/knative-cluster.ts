import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { verticalPodAutoscalers } from '../../definitions/vertical-pod-autoscaler.ts'
import { define } from '../definitions.ts'
import type { KnativePrograms } from '../programs/knative-programs.ts'
import { untilPasses } from '../until-passes.ts'
import { type KnativeSettings, knativeManifests } from './knative-manifests.ts'
import type { ContainerImages } from './machine/container-images.ts'
import { ingressClass } from './network/network.ts'
import { objectProblem } from './object-problem.ts'
import { type PodCluster, startPodCluster } from './pod-cluster.ts'
import { containersOf, imageRegistry, trellisImages } from './trellis-images.ts'

/** A cluster that runs Pods, with Knative and the definitions of Gardener, and nothing of Trellis. */
export interface KnativeCluster extends PodCluster {
  /**
   * Adds the images of Trellis under the names of `make manifests`. `awsPort`: a port of this host's 127.0.0.1 that
   * answers all calls to AWS.
   */
  addTrellis(options: { readonly awsPort: number; readonly version: string }): Promise<void>
  /** Returns the objects that are not ready, each with its reason. */
  problemsOf(objects: readonly KubernetesObject[]): Promise<readonly string[]>
  /** Waits until the objects exist and are ready. */
  ready(objects: readonly KubernetesObject[]): Promise<void>
  /** Deletes objects, and does not wait until they are gone. */
  remove(objects: readonly KubernetesObject[]): Promise<void>
}

export interface KnativeClusterOptions {
  readonly settings?: KnativeSettings
  /** Prints the duration of each phase. */
  readonly timed?: boolean
}

const usualSettings: KnativeSettings = {
  'knative-serving/config-network': { 'ingress-class': ingressClass },
  'knative-serving/config-deployment': { 'registries-skipping-tag-resolving': imageRegistry },
  // Functions end soon after their last event. The usual window takes a minute.
  'knative-serving/config-autoscaler': { 'stable-window': '15s', 'scale-to-zero-grace-period': '10s' },
}

/** Gardener creates it in every seed. */
const priorityClass = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'gardener-system-900' },
  value: 999_998_900,
}

/** Starts the cluster. Everything ends with `close` or with this process. */
export const startKnativeCluster = async (
  programs: KnativePrograms,
  { settings = {}, timed = false }: KnativeClusterOptions = {},
): Promise<KnativeCluster> => {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  const phase = stopwatch(timed)
  let log = () => ''
  try {
    const cluster = await startPodCluster(programs)
    undo.push(cluster.close)
    const { machine, apiServer, kubernetes, resourceOf } = cluster
    log = machine.log
    phase('the machine and its kube-apiserver')

    const apply = async (object: KubernetesObject) =>
      kubernetes.apply(await resourceOf(object), object, { fieldManager: 'test' })

    const [namespaces = [], crds = [], ...others] = await knativeManifests(
      programs.modules,
      merged(usualSettings, settings),
    )
    for (const object of [...namespaces, priorityClass]) await apply(object)
    await define(kubernetes, [
      ...crds,
      ...allCrds(),
      ...machineCrds(),
      ...resourceCrds(),
      verticalPodAutoscalers,
    ])
    phase('definitions')
    await machine.addImages(knativeImages(programs))
    await machine.serve({ apiServer })
    for (const group of others) await Promise.all(group.map(apply))
    phase('objects of Knative')

    const problemsOf = async (objects: readonly KubernetesObject[]) => {
      const problems = objects.map(async object => {
        const { name, namespace } = object.metadata
        const key = { name, ...(namespace !== undefined && { namespace }) }
        const problem = objectProblem(await kubernetes.get(await resourceOf(object), key))
        return problem === undefined ? [] : [`${object.kind} ${namespace}/${name}: ${problem}`]
      })
      return (await Promise.all(problems)).flat()
    }
    const ready = (objects: readonly KubernetesObject[]) =>
      untilPasses(
        async () => {
          const problems = await problemsOf(objects)
          if (problems.length > 0) throw new Error(`not ready: ${problems.join('\n')}`)
        },
        { timeoutMs: 540_000, intervalMs: 500 },
      )
    // Knative waits most of this time.
    const images = trellisImages()
    images.catch(() => {})
    await ready(others.flat())
    phase('readiness of Knative')
    return {
      ...cluster,
      problemsOf,
      ready,
      remove: async objects => {
        for (const object of objects.toReversed()) {
          const { name, namespace } = object.metadata
          const key = { name, ...(namespace !== undefined && { namespace }) }
          await kubernetes.delete(await resourceOf(object), key)
        }
      },
      addTrellis: async ({ awsPort, version }) => {
        const { host, port } = await machine.openOutside(awsPort)
        const environment = { AWS_ENDPOINT_URL: `http://${host}:${port}` }
        await machine.addImages(containersOf(await images, version, environment))
        phase('images of Trellis')
      },
      close,
    }
  } catch (error) {
    const machineLog = log().slice(-8_000)
    await close()
    throw new Error(`cannot start Knative; the machine for its Pods reported: ${machineLog}`, {
      cause: error,
    })
  }
}

const stopwatch = (isOn: boolean) => {
  let last = performance.now()
  return (phase: string) => {
    const now = performance.now()
    if (isOn) console.info(`${phase}: ${((now - last) / 1000).toFixed(1)} s`)
    last = now
  }
}

const merged = (a: KnativeSettings, b: KnativeSettings): KnativeSettings =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map(key => [key, { ...a[key], ...b[key] }]),
  )

/** Images have the names of their packages, as in the manifests. */
const knativeImages = ({ programs }: KnativePrograms): ContainerImages =>
  Object.fromEntries(
    Object.entries(programs).map(([path, program]) => [
      `ko://${path}`,
      { command: [program], user: '65532:65532' },
    ]),
  )
