import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { mergePatch } from '../../shared/kubernetes/kubernetes.ts'
import { entries, events, type JsonEntry, replay, root, temporaryFiles } from './testing/replay-run.ts'

const file = (name: string) => join(events, `controlplane-${name}.json`)
let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

/** A file with the Cluster of the example, and changes to its shoot. */
const clusterWith = async (shoot: object): Promise<string> => {
  const text = await readFile(join(root, 'examples/controlplane/one-zone.yaml'), 'utf8')
  const cluster = parseAllDocuments(text)
    .map(document => document.toJS())
    .find(({ kind }) => kind === 'Cluster')
  return files.write(`${Math.random()}.yaml`, stringify(mergePatch(cluster, { spec: { shoot } })))
}

/** Returns the printed writes, without those to the ControlPlane itself. */
const writesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter(line => /^ {2}(create|patch|delete) (?!controlplanes)/.test(line))
    .map(line => line.trim().replace('shoot--garden--control-plane/', ''))

/** Matches private keys, certificates, kubeconfigs and credentials, plain or in base64. */
const secret = /BEGIN |LS0tLS1|current-context|made-up-by-trellis-replay/

const outcomesIn = (text: string) => text.match(/^outcome .*$/gm)?.map(line => line.slice(12))

describe('a ControlPlane is replayed without a resource manager', () => {
  test('it starts from its first event, creates all objects, and prints the same each time', async () => {
    const { ok, text } = await replay([file('create')], { follow: true })
    expect(ok).toBe(true)
    expect(outcomesIn(text)).toEqual(['continues', 'succeeded'])
    const writes = writesIn(text)
    expect(writes).toContain('create managedresources extension-controlplane-seed')
    expect(writes).toContain('create secrets cloud-controller-manager-server-…')
    expect(text).not.toMatch(secret)
    expect(await replay([file('create')], { follow: true })).toEqual({ ok, text })
  })

  test('it creates the ManagedResources that its status names, and writes nothing to them', async () => {
    const { ok, text } = await replay([file('unchanged')])
    expect(ok).toBe(true)
    expect(text).toContain(
      'outcome     succeeded\nnote        the API server starts with healthy ManagedResources and',
    )
    expect(writesIn(text)).toEqual([])
  })

  test('it continues after its first step has waited', async () => {
    const [entry] = await entries([file('continue')])
    expect(entry).toMatchObject({ assumed: true, outcome: { how: 'succeeded' } })
  })

  test('the objects of a removed component are deleted', async () => {
    const together = `[${await readFile(file('create'), 'utf8')},${await readFile(file('changed'), 'utf8')}]`
    const { ok, text } = await replay(['-'], { stdin: together, follow: true })
    expect(ok).toBe(true)
    expect(writesIn(text.slice(text.indexOf('2026-01-01T02:00:10.250Z')))).toEqual([
      'create secrets extension-controlplane-seed-…',
      'patch managedresources extension-controlplane-seed',
      'create secrets extension-controlplane-shoot-beabce59',
      'patch managedresources extension-controlplane-shoot',
      'create secrets extension-controlplane-shoot-crds-9d8f1e5c',
      'patch managedresources extension-controlplane-shoot-crds',
    ])
  })

  test('it migrates: the objects in the shoot remain, and so does the CA', async () => {
    const { ok, text } = await replay([file('migrate')], { follow: true })
    expect(ok).toBe(true)
    const writes = writesIn(text)
    expect(writes.slice(0, 3)).toEqual([
      'patch managedresources extension-controlplane-shoot',
      'patch managedresources extension-controlplane-shoot-crds',
      'patch managedresources extension-controlplane-storageclasses',
    ])
    expect(writes.filter(write => write.includes(' ca-provider-aws-controlplane-bdef'))).toEqual([])
    expect(await replay([file('restore')], { follow: true })).toMatchObject({ ok: true })
  })

  test('its deletion deletes all its objects', async () => {
    const { text } = await replay([file('delete')], { follow: true, output: 'json' })
    expect(text).not.toMatch(secret)
    const all = JSON.parse(text) as JsonEntry[]
    expect(all.map(({ outcome }) => outcome.how)).toEqual(['continues', 'continues', 'succeeded'])
    expect(all.at(-1)).toMatchObject({ object: { gone: true } })
  })
})

describe('a replay with a given Cluster', () => {
  test('it scales down a hibernated shoot', async () => {
    const cluster = await clusterWith({ spec: { hibernation: { enabled: true } } })
    const { ok, text } = await replay([file('unchanged')], { follow: true, cluster })
    expect(ok).toBe(true)
    expect(writesIn(text)).toEqual([
      'create secrets extension-controlplane-seed-…',
      'patch managedresources extension-controlplane-seed',
    ])
  })

  test('it rotates the CAs if the rotation began after the last reconcile', async () => {
    const rotation = (lastInitiationTime: string) => ({
      status: {
        credentials: { rotation: { certificateAuthorities: { phase: 'Preparing', lastInitiationTime } } },
      },
    })
    const cluster = await clusterWith(rotation('2026-01-01T00:30:00Z'))
    const { ok, text } = await replay([file('unchanged')], { follow: true, cluster })
    expect(ok).toBe(true)
    expect(outcomesIn(text)).toEqual(['continues', 'succeeded'])
    expect(writesIn(text)).toEqual([
      'create secrets ca-provider-aws-controlplane-bdef740c-efffb',
      'create secrets ca-provider-aws-controlplane-bundle-…',
      'create secrets extension-controlplane-shoot-…',
      'patch managedresources extension-controlplane-shoot',
      'create secrets aws-load-balancer-controller-webhook-service-…',
      'create secrets extension-controlplane-seed-…',
      'patch managedresources extension-controlplane-seed',
      'patch secrets aws-load-balancer-controller-webhook-service-…',
      'patch secrets ca-provider-aws-controlplane-bundle-…',
    ])
    const before = await clusterWith(rotation('2025-12-31T00:00:00Z'))
    expect(writesIn((await replay([file('unchanged')], { follow: true, cluster: before })).text)).toEqual([])
  })

  test('it cleans up leftovers of Calico on the nodes, because the shoot has an API server', async () => {
    const providerConfig = { overlay: { enabled: false } }
    const cluster = await clusterWith({ spec: { networking: { providerConfig } } })
    const [entry] = await entries([file('continue')], { cluster })
    expect(entry).toMatchObject({ outcome: { how: 'succeeded' } })
    expect(entry?.object.after.metadata.annotations).toMatchObject({
      'aws.provider.extensions.gardener.cloud/calico-cleanup-completed': 'true',
    })
  })
})
