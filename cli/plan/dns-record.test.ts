import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { route53Account } from '../../functions/aws/dnsrecord/testing/route53-account.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type PlanOptions, planObjects } from './plan-object.ts'
import { readObjects } from './read-objects.ts'

const example = (name: string) =>
  fileURLToPath(new URL(`../../examples/dnsrecord/${name}.yaml`, import.meta.url))
const examples = [example('shoot'), example('zone-records')]

const providers = await findProviders()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-plan-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** An account with the zone of the examples. */
const setUp = async () => {
  const aws = createAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const plan = async (what: readonly string[], options: Partial<PlanOptions> = {}) => {
    aws.calls.clear()
    let text = ''
    const differs = await planObjects(
      what,
      { output: 'text', ...options },
      {
        stdin: Readable.from([]),
        write: more => {
          text += more
        },
        providers,
        connection: { requestHandler: aws.requestHandler },
      },
    )
    return { text, differs }
  }
  const upsert = (Type: 'A' | 'TXT', Value: string, TTL = 120) =>
    account.change(zone, {
      Action: 'UPSERT',
      ResourceRecordSet: { Name: 'api.rose.example.com', Type, TTL, ResourceRecords: [{ Value }] },
    })
  return { account, zone, plan, upsert }
}

/** A file with the example's first record and other fields in its spec. */
const recordWith = async (fields: object, kind = 'DNSRecord') => {
  const [record] = await readObjects(example('zone-records'), Readable.from([]))
  const path = join(folder, `${Math.random()}.yaml`)
  const { spec } = record as KubernetesObject & { readonly spec: object }
  await writeFile(path, stringify({ ...record, kind, spec: { ...spec, ...fields } }))
  return [example('shoot'), path]
}

describe('a plan of DNSRecords', () => {
  test('it lists each record set with its values and its TTL, and creates none', async () => {
    const { account, zone, plan } = await setUp()
    const { text, differs } = await plan(examples)
    expect(differs).toBe(true)
    expect(text).toContain(`Reconciling DNSRecord shoot--garden--rose/rose-external in hosted zone ${zone}

+ create A record api.rose.example.com
    ttl: 120
    values: 203.0.113.10

Plan: 1 to create, 0 to change, 0 to delete
`)
    expect(text).toContain(`+ create A alias *.ingress.rose.example.com
    alias to: a1b2c3-123.eu-west-1.elb.amazonaws.com
+ create AAAA alias *.ingress.rose.example.com`)
    expect(await account.records(zone)).toEqual([])
    expect(account.actions().filter(action => action.startsWith('Change'))).toEqual([])
  })

  test('it shows the current and the new values', async () => {
    const { plan, upsert } = await setUp()
    await upsert('A', '203.0.113.99', 60)
    const { text } = await plan(await recordWith({}))
    expect(text).toContain(`~ update A record api.rose.example.com
    ttl: 60 → 120
    values: 203.0.113.99 → 203.0.113.10

Plan: 0 to create, 1 to change, 0 to delete`)
  })

  test('it is empty for existing records, and lists the deleted ones for a deletion', async () => {
    const { plan, upsert } = await setUp()
    await upsert('A', '203.0.113.10')
    const file = await recordWith({})
    expect(await plan(file)).toMatchObject({
      differs: false,
      text: expect.stringContaining('Nothing to do.'),
    })
    expect((await plan(file, { delete: true })).text).toContain(`- delete A record api.rose.example.com.
    ttl: 120 → (removed)
    values: 203.0.113.10 → (removed)

Plan: 0 to create, 0 to change, 1 to delete`)
  })

  test('without a hosted zone, a deletion is empty', async () => {
    const { plan } = await setUp()
    const file = await recordWith({ name: 'api.rose.example.org' })
    const { text, differs } = await plan(file, { delete: true })
    expect(text).toContain('which has no matching hosted zone\n\nNothing to do.')
    expect(differs).toBe(false)
    await expect(plan(file)).rejects.toThrow(/\. Create one, or set spec\.zone \(ERR_CONFIGURATION_PROBLEM\)/)
  })

  test('it is available as data for programs', async () => {
    const { zone, plan } = await setUp()
    const { text } = await plan(await recordWith({}), { output: 'json' })
    expect(JSON.parse(text)).toEqual({
      object: { kind: 'DNSRecord', namespace: 'shoot--garden--rose', name: 'rose-external' },
      destroying: false,
      zone,
      actions: [
        {
          kind: 'create',
          sentence: 'create A record api.rose.example.com',
          after: [],
          changes: [
            { attribute: 'ttl', after: 120 },
            { attribute: 'values', after: '203.0.113.10' },
          ],
        },
      ],
    })
    expect(JSON.parse((await plan(examples, { output: 'json' })).text)).toHaveLength(4)
  })

  test('it is for the live object, by any name of its kind', async () => {
    const { plan } = await setUp()
    const objects = [
      ...(await readObjects(example('shoot'), Readable.from([]))),
      ...(await readObjects(example('zone-records'), Readable.from([]))),
    ]
    const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...objects] })
    const listening = await server.listen()
    try {
      const kubeconfig = join(folder, 'kubeconfig')
      await writeFile(kubeconfig, server.kubeconfig(listening.url))
      for (const kind of ['DNSRecord', 'dnsrecords', 'dns'])
        expect((await plan([`${kind}/shoot--garden--rose/rose-external`], { kubeconfig })).text).toContain(
          '+ create A record api.rose.example.com',
        )
      await expect(plan(['network/shoot--garden--rose/a'], { kubeconfig })).rejects.toThrow(
        /trellis plan supports Infrastructure, DNSRecord.*, not network$/,
      )
    } finally {
      await listening.close()
      server.close()
    }
  })

  test.each<[string, () => Promise<readonly string[]>, string | RegExp]>([
    [
      'of another provider',
      () => recordWith({ type: 'google-clouddns' }),
      'has type google-clouddns; trellis plan supports aws-route53',
    ],
    [
      'of another kind',
      () => recordWith({}, 'Network'),
      /found no Infrastructure, DNSRecord.* or \w+; trellis plan does not support Network$/,
    ],
  ])('it refuses one %s in a sentence', async (_, files, says) => {
    const { plan } = await setUp()
    const error: unknown = await plan(await files()).catch(thrown => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect(String(error)).toMatch(says)
  })
})
