import { packageVersion } from '../../../build/project/package-version.ts'
import { landscape, seeds } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../../sandbox/providers/aws/furnished-zone.ts'
import { moveIn } from '../../../sandbox/providers/aws/simulation/account-of-others.ts'
import { addHostedZone, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { httpTransport, type KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { openGardenerParts } from '../open-gardener-parts.ts'
import type { KnativePrograms } from '../programs/knative-programs.ts'
import { startKnativeCluster } from './knative-cluster.ts'
import { patiently } from './patiently.ts'

/** Starts Knative with an account of AWS in this process. */
export const startWholeShoot = async (programs: KnativePrograms) => {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const aws = createAws({ clock: systemClock })
    addHostedZone(aws.account(), furnishedZone)
    await moveIn(aws)
    const listener = await aws.listen()
    undo.push(listener.close)
    const cluster = await startKnativeCluster(programs)
    undo.push(cluster.close)
    const { machine, kubernetes, server, resourceOf } = cluster
    await cluster.addTrellis({ awsPort: Number(new URL(listener.url).port), version: await packageVersion() })
    const transport = httpTransport({ access: server.access })
    undo.push(transport.close)

    const apply = async (objects: readonly KubernetesObject[]) => {
      for (const object of objects) {
        const resource = await resourceOf(object)
        await patiently(() => kubernetes.apply(resource, object, { fieldManager: 'installer' }))
      }
      await cluster.ready(objects)
    }
    const without = (objects: readonly KubernetesObject[], others: readonly KubernetesObject[]) => {
      const ids = new Set(others.map(idOf))
      return objects.filter(object => !ids.has(idOf(object)))
    }
    const isBinding = ({ kind }: KubernetesObject) => kind === 'SinkBinding'
    return {
      aws,
      cluster,
      apply,
      list: async (apiVersion: string, kind: string, namespace?: string) => {
        const scope = namespace === undefined ? {} : { namespace }
        return (await kubernetes.list(await resourceOf({ apiVersion, kind }), scope)).items
      },
      /** Changes the mode as in docs/seed-process.md. */
      toSeedProcess: async (from: readonly KubernetesObject[], to: readonly KubernetesObject[]) => {
        await cluster.remove(from.filter(isBinding))
        await apply(to)
        await cluster.remove(without(from, to).filter(object => !isBinding(object)))
      },
      /** Changes the mode back as in docs/seed-process.md. */
      toKnative: async (from: readonly KubernetesObject[], to: readonly KubernetesObject[]) => {
        await apply(without(to, from).filter(object => !isBinding(object)))
        await apply(to)
      },
      /** Returns the names of the functions that are to have pods. */
      awakeFunctions: async () => {
        const key = { apiVersion: 'apps/v1', kind: 'Deployment' }
        const { items } = await kubernetes.list(await resourceOf(key), {
          namespace: 'trellis',
          labelSelector: 'serving.knative.dev/service',
        })
        return items
          .filter(({ spec }) => (spec as { readonly replicas: number }).replicas > 0)
          .map(({ metadata }) => metadata.name)
      },
      /** Opens the parts of Gardener for one life of a shoot. */
      openSeed: () => {
        const parts = openGardenerParts({
          ...{ aws, kubernetes, landscape, pollMs: 100, transport: transport.send, seed: seeds.first },
          reach: port => machine.openOutside(port),
        })
        undo.push(parts.close)
        return parts
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
const idOf = ({ kind, metadata: { name, namespace = '' } }: KubernetesObject) =>
  `${kind} ${namespace}/${name}`

export type WholeShoot = Awaited<ReturnType<typeof startWholeShoot>>
