import { afterAll, beforeAll, expect, test } from 'vitest'
import { looseDefinitions } from '../../sandbox/resource-manager/resource-manager.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { allCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { ManagedResource } from '../../shared/contract/objects.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { healthyWait } from '../../shared/resources/resources.ts'
import { accessManifests, define } from './definitions.ts'
import { startResourceManager } from './gardener/resource-manager.ts'
import { runWorkloads } from './gardener/workloads.ts'
import { exampleIn } from './lives/function-life.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { startRealSeed } from './real-seed.ts'
import { describeWith } from './with-part.ts'

const cases = [
  {
    kind: 'Network',
    example: 'network/calico.yaml',
    change: { spec: { providerConfig: { overlay: { enabled: true } } } },
    least: 40,
  },
  {
    kind: 'Extension',
    example: 'local/extension-shoot.yaml',
    change: { metadata: { labels: { a: 'b' } } },
    least: 1,
  },
  {
    kind: 'ContainerRuntime',
    example: 'containerruntime/two-pools.yaml',
    change: { spec: { binaryPath: '/opt/runtimes' } },
    least: 2,
  },
] as const

describeWith('kube', 'on kube-apiserver,', kube => {
  describeWith('gardener', "with Gardener's resource manager,", gardener => {
    let seed: RealCluster
    let shoot: RealCluster
    let kubeconfigs: { readonly seed: string; readonly shoot: string }
    const undo: (() => Promise<void>)[] = []
    const opened = async <T extends { close(): Promise<void> }>(opening: T | Promise<T>): Promise<T> => {
      const one = await opening
      undo.push(one.close)
      return one
    }
    beforeAll(async () => {
      seed = await opened(startRealCluster(kube))
      shoot = await opened(startRealCluster(kube))
      await define(seed.kubernetes, [...allCrds(), ...resourceCrds(), ...looseDefinitions('seed')])
      await define(shoot.kubernetes, looseDefinitions('shoot'))
      await seed.create(await accessManifests())
      kubeconfigs = { seed: await seed.server.kubeconfig(), shoot: await shoot.server.kubeconfig() }
      await opened(startResourceManager({ program: gardener.resourceManager, seed: kubeconfigs.seed }))
      for (const one of [seed, shoot]) await opened(runWorkloads(one.kubernetes))
      await opened(startRealSeed(seed, cases.map(({ kind }) => kind).join()))
    })
    afterAll(async () => {
      for (const close of undo.reverse()) await close()
    })

    test.each(cases)(
      "a $kind's objects are applied, changed, orphaned by a migration, taken over unchanged, and deleted",
      async ({ kind, example, change, least }) => {
        const namespace = `shoot--real--${kind.toLowerCase()}`
        const manager = await startResourceManager({
          ...{ program: gardener.resourceManager, seed: kubeconfigs.seed },
          shoot: { namespace, kubeconfig: kubeconfigs.shoot },
        })
        undo.push(manager.close)
        const { resource } = kinds[kind]
        const given = await exampleIn(example, namespace)
        const name = given.find(one => one.kind === kind)?.metadata.name ?? ''
        const key = { name, namespace }
        const ask = (operation: string, more: object = {}) =>
          seed.kubernetes.patch(resource, key, {
            ...more,
            metadata: {
              ...Object(more).metadata,
              annotations: {
                [annotations.operation]: operation,
                [annotations.timestamp]: new Date().toISOString(),
              },
            },
          })
        const untilSucceeded = (type: string) =>
          expect
            .poll(async () => {
              const object = await seed.kubernetes.get(resource, key)
              const { lastOperation, lastError, observedGeneration } = Object(object?.status)
              return {
                type: lastOperation?.type,
                state: lastOperation?.state,
                error: lastError?.description,
                isCurrent: observedGeneration === object?.metadata.generation,
                asked: object?.metadata.annotations?.[annotations.operation],
              }
            })
            .toEqual({ type, state: 'Succeeded', error: undefined, isCurrent: true, asked: undefined })
        const managed = async () =>
          (await seed.kubernetes.list(managedResourceKind.resource, { namespace }))
            .items as readonly ManagedResource[]
        /** Returns the versions of all objects, once all are healthy. */
        const applied = async (): Promise<ReadonlyMap<string, string>> => {
          await expect
            .poll(async () => {
              const objects = await managed()
              const waits = objects.map(one => healthyWait({ name: one.metadata.name, namespace }, one))
              return objects.length > 0 ? waits.filter(wait => wait.kind !== 'over') : undefined
            })
            .toEqual([])
          const versions = new Map<string, string>()
          for (const { spec, status } of await managed())
            for (const {
              apiVersion = '',
              kind: of = '',
              name: one = '',
              namespace: inside,
            } of status?.resources ?? []) {
              const { resourceOf, kubernetes } = spec?.class === 'seed' ? seed : shoot
              const served = await resourceOf({ apiVersion, kind: of })
              const object: KubernetesObject | undefined = await kubernetes.get(served, {
                ...{ name: one, ...(inside && served.namespaced && { namespace: inside }) },
              })
              versions.set(
                `${of} ${object?.metadata.namespace} ${one}`,
                `${object?.metadata.uid} ${object?.metadata.generation}`,
              )
            }
          return versions
        }

        for (const object of given)
          if (object.kind !== kind || object.metadata.name === name) await seed.create([object])
        await ask('reconcile')
        await untilSucceeded('Create')
        const created = await applied()
        expect(created.size).toBeGreaterThanOrEqual(least)
        expect([...created.values()].filter(version => version.startsWith('undefined'))).toEqual([])
        await ask('reconcile')
        await untilSucceeded('Reconcile')
        expect(await applied()).toEqual(created)
        await ask('reconcile', change)
        await untilSucceeded('Reconcile')
        const changed = await applied()

        await ask('migrate')
        await untilSucceeded('Migrate')
        await expect.poll(managed).toEqual([])
        await ask('restore')
        await untilSucceeded('Restore')
        const restored = await applied()
        const ofShoot = (versions: ReadonlyMap<string, string>) =>
          [...versions].filter(([id]) => !id.includes(namespace)).toSorted()
        expect(ofShoot(restored)).toEqual(ofShoot(changed))

        await seed.kubernetes.patch(resource, key, {
          metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
        })
        await seed.kubernetes.delete(resource, key)
        await expect.poll(() => seed.kubernetes.get(resource, key)).toBeUndefined()
        expect(await managed()).toEqual([])
      },
    )
  })
})
