import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { namespaces, secrets } from '../../shared/kubernetes/core-resources.ts'
import {
  createKubernetes,
  type HttpTransport,
  httpTransport,
  type Kubernetes,
} from '../../shared/kubernetes/kubernetes.ts'
import { type CaRotation, createSecretsManager } from '../../shared/secrets-manager/secrets-manager.ts'
import { ca, configs, dayMs, identity, rotationAt } from '../../shared/secrets-manager/testing/seed.ts'
import { shortKeys } from '../../shared/secrets-manager/testing/short-keys.ts'
import { type RunningApiServer, startKubeApiServer } from './kube-apiserver.ts'
import { describeWith } from './with-part.ts'

const namespace = 'shoot--foo--bar'
const createKeyPair = shortKeys()

describeWith('kube', 'the secrets manager with kube-apiserver', programs => {
  let server: RunningApiServer
  let transport: HttpTransport
  let kubernetes: Kubernetes
  beforeAll(async () => {
    server = await startKubeApiServer(programs)
    transport = httpTransport({ access: server.access })
    kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
    await kubernetes.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    })
  })
  afterAll(async () => {
    transport?.close()
    await server?.close()
  })

  const managerAt = (afterMs: number, rotation?: CaRotation) =>
    createSecretsManager({
      kubernetes,
      clock: { now: () => Date.now() + afterMs },
      namespace,
      identity,
      configs,
      rotation,
      createKeyPair,
    })
  const all = async () => (await kubernetes.list(secrets, { namespace })).items

  test('creates, repairs, rotates, cleans up and removes its Secrets with two concurrent processes', async () => {
    const rotation = rotationAt('2026-03-01T10:00:00Z')
    const reconcile = async (afterMs: number, ...rest: readonly CaRotation[]) => {
      const both = [managerAt(afterMs, ...rest), managerAt(afterMs, ...rest)]
      const [one, other] = await Promise.all(both.map(manager => manager.generate()))
      for (const { name } of configs) expect(one?.current(name)).toEqual(other?.current(name))
      await Promise.all([one?.cleanUp(), other?.cleanUp()])
      return [...(one?.created ?? []), ...(other?.created ?? [])]
    }
    expect(await reconcile(0)).toHaveLength(4)
    expect(await reconcile(0)).toHaveLength(0)
    const [secret] = await all()
    const { name = '', labels } = secret?.metadata ?? {}
    await kubernetes.patch(secrets, { name, namespace }, { metadata: { labels: { own: 'label' } } })
    expect(await reconcile(0)).toHaveLength(0)
    expect((await kubernetes.get(secrets, { name, namespace }))?.metadata.labels).toEqual(labels)
    expect(await reconcile(dayMs, rotation)).toHaveLength(3)
    await reconcile(2 * dayMs, rotation)
    expect(await all()).toHaveLength(5)
    expect(await reconcile(3 * dayMs, { ...rotation, ignoresOld: true })).toHaveLength(2)
    await reconcile(4 * dayMs, { ...rotation, ignoresOld: true })
    expect(await all()).toHaveLength(4)
    await managerAt(0).removeUnpersisted()
    expect((await all()).map(({ metadata }) => metadata.labels?.name)).toEqual([ca.name])
    await managerAt(0).removeAll()
    expect(await all()).toEqual([])
  })
})
