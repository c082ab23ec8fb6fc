import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  compactDeployment,
  projectDeployment,
  seedProcessDeployment,
} from '../../build/project/project-deployment.ts'
import { deployedObjects } from '../../knative/knative.ts'
import { knativeDefinitions } from '../../sandbox/knative/knative.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { verticalPodAutoscalers } from '../definitions/vertical-pod-autoscaler.ts'
import { define, definitionsBesides, haveDefinitionsBesides } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

/** The definitions of Gardener and Knative if they are available, otherwise ours. */
const definitionsOfSeed = async (): Promise<readonly KubernetesObject[]> => [
  ...(haveDefinitionsBesides
    ? await definitionsBesides('')
    : [...allCrds(), ...machineCrds(), ...resourceCrds(), ...knativeDefinitions()]),
  verticalPodAutoscalers,
]

const idOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`

describeWith('kube', 'server-side apply on kube-apiserver', programs => {
  describe.each([
    ['one process per function', projectDeployment],
    ['one process per provider', compactDeployment],
    ['the seed process', seedProcessDeployment],
  ] as const)('dispatch to %s', (_, deployment) => {
    let cluster: RealCluster
    let objects: readonly KubernetesObject[]
    const versions = new Map<string, string | undefined>()
    beforeAll(async () => {
      cluster = await startRealCluster(programs)
      await define(cluster.kubernetes, await definitionsOfSeed())
      objects = deployedObjects(await deployment())
    })
    afterAll(() => cluster?.close())

    test('every object is accepted in order, with every field unchanged', async () => {
      expect(objects.length).toBeGreaterThan(15)
      for (const object of objects) {
        const stored = await cluster.apply(object)
        // Fields that the server prunes or changes would be applied again and again.
        expect(stored, idOf(object)).toMatchObject(object)
        versions.set(idOf(object), stored.metadata.resourceVersion)
      }
    })

    test('a second apply changes nothing', async () => {
      const again = new Map<string, string | undefined>()
      for (const object of objects)
        again.set(idOf(object), (await cluster.apply(object)).metadata.resourceVersion)
      expect(again).toEqual(versions)
    })

    test('an unknown field is refused', async () => {
      const named = (kind: string) => objects.find(object => object.kind === kind)
      const found = named('SinkBinding') ?? named('VerticalPodAutoscaler')
      const wrong = { ...found, spec: { ...(found?.spec as object), unheardOf: 1 } } as KubernetesObject
      await expect(cluster.apply(wrong)).rejects.toThrow('unheardOf')
    })
  })
})
