import { describe, expect, test } from 'vitest'
import { readStored } from '../../test/recorded/stored.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { createKeyPair } from './certificates/key-pair.ts'
import { dnsNamesOfService } from './config.ts'
import {
  ca,
  certificateIn,
  certificatesIn,
  dayMs,
  newSeed,
  rotationAt,
  server,
  webhook,
} from './testing/seed.ts'

interface RecordedSecret {
  readonly name: string
  readonly type: string
  readonly immutable: boolean
  readonly labels: Readonly<Record<string, string>>
  readonly keys: readonly string[]
}

const recorded = (name: string) => Object(readStored(`controlplane/${name}.json`))

/** The time of the recording. The ten years of its certificates include three leap days. */
const recordedAt = Date.parse('2026-11-22T00:00:00Z')
const configsFor = (namespace: string) =>
  [
    ca,
    { ...server, dnsNames: dnsNamesOfService(server.commonName, namespace) },
    { ...webhook, dnsNames: dnsNamesOfService(webhook.commonName, namespace) },
  ] as const

/** Replaces values in a recording with their type. */
const masked = ({ name = '', ...labels }: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [
      key,
      /-time$/.test(key) && value !== '' && key !== 'last-rotation-initiation-time'
        ? '<unix>'
        : key === 'checksum-of-signing-ca'
          ? `<hex${value.length}>`
          : key === 'checksum-of-config' && name !== ca.name
            ? '<decimal>'
            : value,
    ]),
  ),
  name,
})

const certificateFactsOf = ({ data }: KubernetesObject) => {
  const certificate = certificateIn({ data })
  return {
    subject: certificate.subject,
    issuer: certificate.issuer,
    ...(certificate.subjectAltName && { san: certificate.subjectAltName }),
    ca: certificate.ca,
    days: Math.floor((Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / dayMs),
    ...(certificate.keyUsage && { keyUsage: certificate.keyUsage }),
    bits: certificate.publicKey.asymmetricKeyDetails?.modulusLength,
  }
}

/** A Secret as shown in recordings. `hash` names the values derived from keys. */
const shownAs = (secret: KubernetesObject, hash: (config: string, name: string) => string) => {
  const { metadata, type, immutable, data } = secret
  const { name = '' } = metadata.labels ?? {}
  return {
    name: name === ca.name ? metadata.name : `${name}-<${hash(name, metadata.name)}>`,
    type,
    immutable,
    labels: masked(metadata.labels ?? {}),
    keys: Object.keys(data ?? {}).sort(),
  }
}

const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
  one.name < other.name ? -1 : 1

describe('as the Go extension was recorded', () => {
  test('a new ControlPlane gets the same Secrets, with keys of the same length', async () => {
    const namespace = 'shoot--cp--default'
    const { all, kubernetes, managerOf } = await newSeed(recordedAt)
    await kubernetes.create(
      { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    )
    await managerOf({ namespace, configs: configsFor(namespace), createKeyPair }).generate()
    const shown = (await all(namespace)).map(secret => ({
      ...shownAs(secret, () => 'hash8'),
      certificate: certificateFactsOf(secret),
    }))
    expect(shown.sort(byName)).toEqual(recorded('default').generatedSecrets.toSorted(byName))
  })

  test('a rotation has the same Secrets in each phase, once the clean-up is complete', async () => {
    const recording = recorded('scenario-rotation')
    const { all, clock, reconcile } = await newSeed(recordedAt)
    const letters = new Map<string, string[]>()
    const letterOf = (config: string, name: string) => {
      const known = letters.get(config) ?? []
      if (!known.includes(name)) known.push(name)
      letters.set(config, known)
      return `hash ${'ABCDEF'[known.indexOf(name)]}`
    }
    const [first, second] = ['2026-03-01T10:00:00Z', '2026-04-01T10:00:00Z']
    const phases = {
      initial: undefined,
      Preparing: rotationAt(first),
      Prepared: rotationAt(first, 'Prepared'),
      Completing: rotationAt(first, 'Completing'),
      Completed: rotationAt(first, 'Completed'),
      'second Preparing': rotationAt(second),
    }
    const namespace = 'shoot--sc--rotate-rot'
    for (const [phase, rotation] of Object.entries(phases)) {
      const options = { rotation, configs: configsFor(namespace) }
      const shown = async () => {
        const present = await all()
        const inUse = present.filter(
          ({ metadata }) => !metadata.annotations?.['trellis.gardener.cloud/unused-since'],
        )
        const list = inUse.map(secret => ({
          ...shownAs(secret, letterOf),
          cert: { ...certificateFactsOf(secret), bits: 3072 },
          ...(secret.metadata.labels?.['bundle-for'] && {
            certsInBundle: certificatesIn({ data: secret.data as Readonly<Record<string, string>> }).length,
          }),
        }))
        return { list: list.sort(byName), marked: present.length - inUse.length }
      }
      const expected = (recording[phase].secrets ?? recording[phase]).toSorted(byName)
      await reconcile(options)
      expect((await shown()).list, phase).toEqual(expected)
      await clock.advance(dayMs)
      await reconcile(options)
      expect(await shown(), phase).toEqual({ list: expected, marked: 0 })
    }
  })

  test('a migration starts with the same Secrets and, unlike the Go extension, ends with only the CA', async () => {
    const recording = recorded('scenario-migrate')
    const namespace = 'shoot--sc--migrate-mig'
    const { all, reconcile, managerOf } = await newSeed(recordedAt)
    const options = { configs: configsFor(namespace) }
    await reconcile(options)
    const shown = async () =>
      (await all())
        .map(secret => ({
          ...shownAs(secret, () => 'hash A'),
          cert: { ...certificateFactsOf(secret), bits: 3072 },
          ...(secret.metadata.labels?.['bundle-for'] && { certsInBundle: 1 }),
        }))
        .sort(byName)
    expect(await shown()).toEqual(recording.generatedSecretsBefore.toSorted(byName))
    await managerOf(options).removeUnpersisted()
    const left: readonly RecordedSecret[] = recording.generatedSecretsAfter
    expect(await shown()).toEqual(left.filter(({ labels }) => labels.persist === 'true'))
  })

  test('Secrets of the Go extension are adopted: the CA stays, certificates are recreated and the old ones removed', async () => {
    const recording: readonly RecordedSecret[] = recorded('default').generatedSecrets
    const other = await newSeed(recordedAt)
    const made = await other.reconcile()
    const { put, reconcile, clock, names, requests } = await newSeed(recordedAt)
    const present = await other.all()
    for (const { name, type, immutable, labels } of recording) {
      const data = present.find(({ metadata }) => metadata.labels?.name === labels.name)?.data
      const theirs = name.replace(
        '<hash8>',
        labels.name === `${ca.name}-bundle` ? made.bundle(ca.name).name.slice(-8) : 'c0ffee00',
      )
      const signer = present.find(({ metadata }) => metadata.labels?.name === labels.name)?.metadata.labels
      await put({
        metadata: {
          name: theirs,
          labels: { ...signer, 'checksum-of-config': '1', ...(labels.name === ca.name && signer) },
        },
        type,
        immutable,
        data,
      })
    }
    const { created, current, bundle, lostAuthorities } = await reconcile()
    expect(created).toEqual([server, webhook].map(({ name }) => made.current(name).name))
    expect(current(ca.name)).toEqual(made.current(ca.name))
    expect(bundle(ca.name)).toEqual(made.bundle(ca.name))
    expect(lostAuthorities).toEqual([])
    expect(requests.filter(request => request.startsWith('delete'))).toEqual([])
    await clock.advance(dayMs)
    await reconcile()
    expect((await names()).filter(name => name.endsWith('c0ffee00'))).toEqual([])
    expect(await names()).toHaveLength(4)
  })
})
