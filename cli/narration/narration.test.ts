import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { createSentences, type Sentence } from '../../sandbox/narration/sentence.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { isReady } from '../../sandbox/providers/objects.ts'
import type { SeedEvent } from '../../sandbox/seed/seed.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts'
import { detailOf } from './detail.ts'
import { createHints } from './hint.ts'

const records = kinds.DNSRecord.resource
const key = { namespace: 'shoot--garden--rose', name: 'rose-external' }
const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
  Secret: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
  Cluster: clusterKind.resource,
  DNSRecord: records,
}

let sandbox: Sandbox
let events: SeedEvent[]
let said: Sentence[]

const objectsOf = async (file: string): Promise<readonly KubernetesObject[]> =>
  parseAllDocuments(
    await readFile(new URL(`../../examples/dnsrecord/${file}.yaml`, import.meta.url), 'utf8'),
  ).map(document => document.toJS())

const until = async (reached: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await reached())) await sandbox.clock.sleep(10)
}
const isRecordReady = async () => isReady(await sandbox.kubernetes.get(records, key))
const hints = () => said.filter(({ part }) => part === 'hint').map(({ text }) => text)
const ask = { annotations: { [annotations.operation]: 'reconcile' } }

beforeEach(async () => {
  events = []
  said = []
  const sentenceOf = createSentences()
  const hintOf = createHints()
  sandbox = await startSandbox({
    providers: await findProviders(),
    idleMs: 30_000,
    observe: event => {
      events.push(event)
      for (const sentence of [sentenceOf(event), hintOf(event)]) if (sentence) said.push(sentence)
    },
  })
  const [external] = await objectsOf('zone-records')
  for (const object of [...(await objectsOf('shoot')), external as KubernetesObject])
    await sandbox.kubernetes.create(resources[object.kind] as GroupVersionResource, object)
  await until(isRecordReady)
})
afterEach(() => sandbox.close())

describe('the output of the sandbox', () => {
  test('it shows changes in AWS, and no reads', () => {
    const calls = said.filter(({ part }) => part === 'aws').map(({ text }) => text)
    expect(calls).toEqual([
      'route53 ChangeResourceRecordSets UPSERT A api.rose.example.com → 203.0.113.10 (DNSRecord shoot--garden--rose/rose-external)',
    ])
  })

  test('it shows once that a changed spec needs a request, with the command', async () => {
    expect(hints()).toEqual([])
    await sandbox.kubernetes.patch(records, key, { spec: { values: ['203.0.113.20'] } })
    await sandbox.kubernetes.patch(records, key, { metadata: { labels: { any: 'thing' } } })
    expect(hints()).toEqual([
      expect.stringMatching(
        /the spec of dnsrecord .* changed\. .*Request one, as gardenlet does: kubectl -n shoot--garden--rose annotate dnsrecord rose-external gardener\.cloud\/operation=reconcile$/,
      ),
    ])
    await sandbox.kubernetes.patch(records, key, { metadata: ask })
    await until(isRecordReady)
    expect(hints()).toHaveLength(1)
  })

  test('it shows no such hint if the change is requested', async () => {
    await sandbox.kubernetes.patch(records, key, { metadata: ask, spec: { values: ['203.0.113.20'] } })
    await until(isRecordReady)
    expect(hints()).toEqual([])
  })

  test('it shows how to confirm a refused deletion', async () => {
    await expect(sandbox.kubernetes.delete(records, key)).rejects.toThrow('deletion')
    expect(hints()).toEqual([
      'a deletion must be confirmed first: kubectl -n shoot--garden--rose annotate dnsrecord rose-external confirmation.gardener.cloud/deletion=true',
    ])
  })

  test('it shows one short line for each further failed attempt', async () => {
    await sandbox.kubernetes.patch(records, key, {
      metadata: ask,
      spec: { values: ['nowhere'] },
    })
    const errors = () => said.filter(({ text }) => text.includes('Error'))
    await until(() => errors().length > 2)
    const first = said.findIndex(({ text }) => text.includes('Error, '))
    expect(said[first]?.text).toMatch(/: Error, Error reconciling DNSRecord: /)
    expect(said.slice(first + 1).map(({ text }) => text.split(': ').at(-1))).toEqual([
      'Error again, attempt 2',
      'Error again, attempt 3',
    ])
  })

  test('it shows everything, in one line each, if requested', async () => {
    await until(() => events.some(event => event.part === 'broker' && event.event.kind === 'delivered'))
    const lines = events.flatMap(event => detailOf(event) ?? [])
    const texts = lines.map(({ part, text }) => `${part} ${text}`)
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^kubernetes POST \/apis\/\S+\/dnsrecords → 201$/),
        expect.stringMatching(/^aws route53:ListHostedZones \S* \{.*\} → 200$/),
        expect.stringMatching(/^bridge emitted \S+, reconcile of DNSRecord /),
        expect.stringMatching(/^broker delivered \S+ by trellis\/\S+$/),
      ]),
    )
    expect(texts.filter(text => text.includes('\n'))).toEqual([])
    const [call] = events.filter(event => event.part === 'cloud')
    if (call === undefined) throw new Error('no call')
    const withBytes = { ...call, call: { ...call.call, input: { PublicKeyMaterial: new Uint8Array(300) } } }
    expect(detailOf(withBytes)?.text).toContain('{"PublicKeyMaterial":"300 bytes"}')
    expect(texts.join('\n')).not.toContain('not-a-real-secret-access-key-of-rose-0001')
  })
})
