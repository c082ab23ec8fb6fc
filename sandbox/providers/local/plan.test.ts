import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { planObjects } from '../../../cli/plan/plan-object.ts'
import { desiredNamespace, desiredNetwork } from '../../../functions/local/infrastructure/desired.ts'
import { ensureObjects, fieldManager } from '../../../functions/local/provider/local.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { provider } from './provider.ts'
import { simulateLocal } from './simulate.ts'

const example = (name: string) => new URL(`../../../examples/local/${name}.yaml`, import.meta.url).pathname

const exampleCluster = async () => {
  const text = await readFile(example('infrastructure'), 'utf8')
  const objects = parseAllDocuments(text).map(document => document.toJS() as KubernetesObject)
  return objects.find(({ kind }) => kind === 'Cluster') as never
}

const planOf = async (
  names: readonly string[],
  cloud = simulateLocal({ clock: systemClock }),
  options: { readonly delete?: boolean } = {},
) => {
  const before = JSON.stringify(cloud.snapshot())
  let text = ''
  const differs = await planObjects(
    names.map(example),
    { output: 'text', ...options },
    {
      stdin: Readable.from([]),
      write: more => {
        text += more
      },
      providers: [provider],
      connection: cloud.connection,
    },
  )
  expect(JSON.stringify(cloud.snapshot())).toBe(before)
  return { text, differs }
}

/** A provider cluster with the Infrastructure of the example. */
const made = async () => {
  const cloud = simulateLocal({ clock: systemClock })
  const { kubernetes } = cloud.cluster
  const cluster = await exampleCluster()
  const kept = await ensureObjects(kubernetes, [desiredNamespace(cluster)])
  if (kept.kind !== 'kept' || kept.objects[0] === undefined) throw new Error('no namespace was made')
  await ensureObjects(kubernetes, desiredNetwork(cluster)(kept.objects[0]))
  return cloud
}

test('a plan of an infrastructure lists the new objects in the provider cluster and creates nothing', async () => {
  const { text, differs } = await planOf(['infrastructure'])
  expect(differs).toBe(true)
  expect(text).toContain('Reconciling Infrastructure shoot--garden--local/local')
  for (const line of [
    'create Namespace infra-shoot--garden--local',
    'create IPPool shoot-machine-pods-shoot--garden--local-ipv4',
    'create NetworkPolicy infra-shoot--garden--local/provider-local-allow-machine-pods',
    'create NetworkPolicy infra-shoot--garden--local/provider-local-deny-all',
  ])
    expect(text).toContain(line)
})

test('a plan omits existing objects', async () => {
  const { text } = await planOf(['infrastructure'], await made())
  expect(text).not.toContain('Namespace infra')
  expect(text).not.toContain('NetworkPolicy')
  expect(fieldManager).toMatch(/provider-local$/)
})

test('a plan of a deletion lists the deleted objects', async () => {
  const { text } = await planOf(['infrastructure'], await made(), { delete: true })
  expect(text).toContain('delete Namespace infra-shoot--garden--local')
})

test.each([
  ['shoot-bastion', 'Bastion', ['Secret', 'Pod', 'Service', 'NetworkPolicy'], 'bastion-cli-local'],
  ['selfhostedshootexposure', 'SelfHostedShootExposure', ['Service'], 'exposure-local'],
])('a plan of a %s lists its objects and its waits', async (file, kind, objects, name) => {
  const cloud = await made()
  const { text } = await planOf(['infrastructure', file], cloud)
  expect(text).toContain(`Reconciling ${kind} `)
  for (const object of objects) expect(text).toContain(`create ${object} infra-shoot--garden--local/${name}`)
  expect(text).toContain('Waits in between: ')
  expect(text).not.toContain('echo hi')
})

describe('a plan of a record', () => {
  const name = 'api.daisy.garden.local.gardener.cloud'
  const withRecord = (value: string, ttl: number) => {
    const cloud = simulateLocal({ clock: systemClock })
    cloud.nameServer.set({ name, type: 'A', ttl, data: value })
    return cloud
  }

  test('lists its creation at the name server and creates nothing', async () => {
    const { text, differs } = await planOf(['dnsrecord'])
    expect(differs).toBe(true)
    expect(text).toContain(`create A record ${name}`)
    expect(text).toContain('203.0.113.10')
  })

  test('lists a change', async () => {
    const { text } = await planOf(['dnsrecord'], withRecord('203.0.113.9', 120))
    expect(text).toContain(`update A record ${name}`)
    expect(text).toContain('203.0.113.9')
    expect(text).toContain('203.0.113.10')
  })

  test('omits an existing one', async () => {
    const { text, differs } = await planOf(['dnsrecord'], withRecord('203.0.113.10', 120))
    expect(differs).toBe(false)
    expect(text).not.toContain('A record')
  })

  test('lists the changes of a deletion', async () => {
    const { text } = await planOf(['dnsrecord'], withRecord('203.0.113.10', 120), { delete: true })
    expect(text).toContain(`delete A record ${name}`)
  })
})
