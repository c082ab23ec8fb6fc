import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { knativeDefinitions } from '../../sandbox/knative/knative.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { looseDefinitions } from '../../sandbox/resource-manager/resource-manager.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes, type KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { verticalPodAutoscalers } from '../definitions/vertical-pod-autoscaler.ts'
import { sampleObject, shootNamespace } from '../lifecycle/sample-objects.ts'
import {
  define,
  definitionsBesides,
  extensionDefinitions,
  haveDefinitionsBesides,
  manifestsIn,
} from './definitions.ts'
import { definitions, type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const knativesOwn = async (): Promise<readonly KubernetesObject[]> =>
  (await Promise.all(['eventing.', 'messaging.', 'serving.', 'sources.'].map(definitionsBesides))).flat()

const namespace = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
})

/** Further definitions of the sandbox and `trellis crds --all` besides the extension kinds. */
const others: readonly KubernetesObject[] = [...looseDefinitions('seed'), ...machineCrds(), ...resourceCrds()]

describeWith('kube', 'definitions on kube-apiserver', programs => {
  let cluster: RealCluster
  const fresh = () => {
    beforeAll(async () => {
      cluster = await startRealCluster(programs)
    })
    afterAll(() => cluster?.close())
  }

  describe('for components of Gardener', () => {
    beforeAll(async () => {
      cluster = await startRealCluster(programs)
    })
    afterAll(() => cluster?.close())

    test('are all established', async () => {
      await define(cluster.kubernetes, others)
    })

    test('in a group of Kubernetes are refused without their approval, with the same message in the sandbox', async () => {
      const [first] = looseDefinitions('seed')
      const { metadata: { annotations: _, ...metadata } = { name: '' }, ...rest } = first ?? {
        apiVersion: '',
        kind: '',
      }
      const server = createApiServer({ clock: systemClock })
      const sandbox = createKubernetes({ transport: server.transport, clock: systemClock })
      const texts = []
      for (const kubernetes of [cluster.kubernetes, sandbox])
        texts.push(
          await kubernetes.create(definitions, { ...rest, metadata }).then(
            () => 'created',
            (error: unknown) => messageOf(error),
          ),
        )
      server.close()
      expect(texts[0]).toContain('protected groups must have approval annotation')
      expect(texts[1]).toBe(texts[0])
    })
  })

  describe.each(extensionDefinitions)('$whose of the extension kinds', ({ present, load }) => {
    if (!present) return test.skip('they are missing beside the repository', () => {})
    fresh()

    test('are all established, with structural schemas', async () => {
      const crds = await load()
      expect(crds.length).toBeGreaterThanOrEqual(kindNames.length)
      await define(cluster.kubernetes, crds)
      await cluster.create([namespace(shootNamespace)])
    })

    test.each(kindNames)('accept a valid %s unchanged', async (kind: KindName) => {
      const { resource } = kinds[kind]
      const sample = sampleObject(kind)
      const created = await cluster.kubernetes.create(resource, sample)
      expect(created.spec).toEqual(sample.spec)
    })

    test('accept every example unchanged', async () => {
      const examples = await manifestsIn('examples')
      expect(examples.length).toBeGreaterThan(20)
      const isNamespace = ({ kind }: KubernetesObject) => kind === 'Namespace'
      // Several belong to the same shoot, each with its own copy of the namespace.
      const namespaces = new Map(examples.filter(isNamespace).map(object => [object.metadata.name, object]))
      await cluster.create([...namespaces.values()])
      for (const object of examples.filter(object => !isNamespace(object)))
        expect(await cluster.refusalOf(object), `${object.kind} ${object.metadata.name}`).toBeUndefined()
    })

    test.each(kindNames)('refuse a %s without a type', async (kind: KindName) => {
      const sample = sampleObject(kind)
      const { type, ...spec } = sample.spec as Readonly<Record<string, unknown>>
      const untyped = { ...sample, metadata: { ...sample.metadata, name: 'untyped' }, spec }
      await expect(cluster.kubernetes.create(kinds[kind].resource, untyped)).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining('spec.type: Required value'),
      })
      expect(type).toBe('test')
    })
  })

  describe.each([
    { whose: "Trellis' of Knative's kinds", present: true, load: async () => knativeDefinitions() },
    { whose: "Knative's", present: haveDefinitionsBesides, load: knativesOwn },
  ])('$whose', ({ present, load }) => {
    if (!present) return test.skip('they are missing beside the repository', () => {})
    fresh()

    test('accept the manifests of knative/', async () => {
      await define(cluster.kubernetes, [...(await load()), verticalPodAutoscalers])
      const manifests = (await manifestsIn('knative/base')).filter(({ kind }) => kind !== 'Kustomization')
      expect(manifests.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['Broker', 'Trigger', 'Service']),
      )
      await cluster.create(manifests)
      for (const object of manifests) {
        const { name, namespace } = object.metadata
        const key = namespace === undefined ? { name } : { name, namespace }
        const stored = await cluster.kubernetes.get(await cluster.resourceOf(object), key)
        // The server drops unknown fields.
        expect(stored, `${object.kind} ${name}`).toMatchObject(object)
      }
    })
  })
})
