import { describe, expect, test } from 'vitest'
import { createSteppedSeed, shootObjects } from '../../sandbox/stepped-seed/stepped-seed.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { secrets } from '../lifecycle/lifecycle.ts'
import { resourcePermissions } from '../resources/resources.ts'
import { defineFunction } from '../runtime/define-function.ts'
import { shortKeys } from '../secrets-manager/testing/short-keys.ts'
import { type ExtensionProvider, extensionFlow } from './extension.ts'

const namespace = 'shoot--rose--x'
const object: KubernetesObject = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Extension',
  metadata: { name: 'notes', namespace },
  spec: { type: 'notes' },
}
const shoot = {
  metadata: { name: 'x', namespace: 'garden-rose' },
  spec: { resources: [{ name: 'token', resourceRef: { apiVersion: 'v1', kind: 'Secret', name: 'mine' } }] },
}
const configMap = (data: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'notes', namespace },
  data,
})

const newSeed = (provider: Partial<ExtensionProvider>) => {
  const seed = createSteppedSeed({
    objects: shootObjects({ namespace, shoot, secrets: { 'ref-mine': { token: 'planted' } } }),
    definition: defineFunction({
      name: 'notes',
      kind: 'Extension',
      type: 'notes',
      permissions: resourcePermissions,
      create: () =>
        extensionFlow({
          resource: { name: 'notes', class: 'seed', key: 'data.yaml' },
          objects: () => [configMap({})],
          ...provider,
        }),
    }),
  })
  const generated = async () => {
    const { items } = await seed.kubernetes.list(secrets, {
      namespace,
      labelSelector: 'manager-identity=notes',
    })
    return items.map(({ metadata }) => metadata.labels?.name).sort()
  }
  return { seed, generated }
}

describe('an Extension of one ManagedResource', () => {
  test('gets its referenced resources, and its status lists their copies', async () => {
    const { seed } = newSeed({
      references: () => [{ name: 'token', keys: ['token'] }],
      objects: (_, { references: [token] }) => [configMap({ from: token?.copy.name })],
    })
    expect(Object(await seed.apply(object)).status.resources).toEqual([
      { name: 'token', resourceRef: { apiVersion: 'v1', kind: 'Secret', name: 'ref-mine' } },
    ])
    seed.close()
  })

  test('without a reference any more lists no copy, because gardenlet could not move a missing one', async () => {
    let names = ['token']
    const { seed } = newSeed({ references: () => names.map(name => ({ name })) })
    await seed.apply(object)
    names = []
    expect(Object(await seed.apply(object)).status.resources).toEqual([])
    seed.close()
  })

  test('that declares no references never writes them', async () => {
    const { seed } = newSeed({})
    expect(Object(await seed.apply(object)).status).not.toHaveProperty('resources')
    seed.close()
  })

  test('that declares no secrets is refused one', async () => {
    const { seed } = newSeed({
      objects: (_, { secrets: made }) => [configMap({ name: made.current('tls').name })],
    })
    const { lastError } = Object(await seed.apply(object)).status
    expect(lastError.description).toContain('the generated secret tls has no config')
    seed.close()
  })

  test('removes its generated Secrets after its objects, and a migration retains the persisted ones', async () => {
    const calls: string[] = []
    const { seed, generated } = newSeed({
      secrets: {
        identity: 'notes',
        createKeyPair: shortKeys(),
        configs: () => [
          { kind: 'ca', name: 'ca-notes', commonName: 'ca-notes', persist: true },
          { kind: 'server', name: 'notes-tls', commonName: 'notes', signedBy: { ca: 'ca-notes' } },
        ],
      },
      objects: (_, { secrets: made }) => [
        configMap({ tls: made.current('notes-tls').name, trusts: made.bundle('ca-notes').name }),
      ],
    })
    await seed.apply(object)
    expect(await generated()).toEqual(['ca-notes', 'ca-notes-bundle', 'notes-tls'])
    await seed.request(object, 'migrate')
    expect(await generated()).toEqual(['ca-notes'])
    await seed.request(object, 'restore')

    seed.interfereWith({ before: ({ verb, resource }) => void calls.push(`${verb} ${resource}`) })
    expect(await seed.remove(object)).toBeUndefined()
    expect(await generated()).toEqual([])
    const deletions = calls.filter(call => call.startsWith('delete '))
    expect(deletions[0]).toBe('delete managedresources')
    expect(deletions.slice(1).every(call => call === 'delete secrets')).toBe(true)
    seed.close()
  })

  test('reports a deleted CA before it cleans up', async () => {
    const { seed } = newSeed({
      secrets: {
        identity: 'notes',
        createKeyPair: shortKeys(),
        configs: () => [
          { kind: 'ca', name: 'ca-notes', commonName: 'ca-notes' },
          { kind: 'server', name: 'notes-tls', commonName: 'notes', signedBy: { ca: 'ca-notes' } },
        ],
      },
    })
    const conditions = async () => {
      const { status } = Object(await seed.apply(object))
      return (status.conditions ?? []).map(({ type }: { readonly type: string }) => type)
    }
    expect(await conditions()).toEqual([])
    const { items } = await seed.kubernetes.list(secrets, { namespace, labelSelector: 'name=ca-notes' })
    for (const { metadata } of items)
      await seed.kubernetes.delete(secrets, { namespace, name: metadata.name })

    expect(await conditions()).toEqual(['CertificateAuthorityLost'])
    // The clean-up of this reconcile removes the evidence.
    expect(await conditions()).toEqual(['CertificateAuthorityLost'])
    expect(await conditions()).toEqual([])
    seed.close()
  })
})
