import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { objectChanges, type ShownOptions } from '../../resources/resources.ts'
import { newSeed } from '../testing/seed.ts'

const secret = { name: 'cloudprovider', namespace: 'n', labels: {}, data: { key: 'planted-secret-value' } }
const shown: ShownOptions = { secret, unknownNames: new Map(), unknownCertificates: new Set() }

const deployment = (checksum: string, replicas = 1): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'controller', namespace: 'n' },
  spec: { replicas, template: { metadata: { annotations: { 'checksum/secret-x': checksum, other: 'a' } } } },
})

/** The certificate of a generated CA, PEM. */
const authority = async (): Promise<string> => {
  const seed = await newSeed()
  await seed.converge()
  const [found] = (await seed.secrets()).filter(({ metadata }) =>
    /^ca-provider-tiny-[0-9a-f]{8}$/.test(metadata.name),
  )
  return Buffer.from(String(Object(found?.data)['ca.crt']), 'base64').toString()
}

const webhook = (caBundle: string): KubernetesObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: [{ name: 'one', clientConfig: { caBundle } }],
})

describe('the object changes of a plan', () => {
  test('unchanged objects are omitted, however their fields are ordered', () => {
    const { kind, ...rest } = deployment('a')
    expect(objectChanges([deployment('a')], [{ ...rest, kind, status: undefined } as never], shown)).toEqual(
      [],
    )
  })

  test('created and deleted objects are listed', () => {
    expect(objectChanges([deployment('a')], [webhook('')], shown)).toMatchObject([
      { kind: 'create', id: { kind: 'MutatingWebhookConfiguration', name: 'w' }, before: undefined },
      { kind: 'delete', id: { kind: 'Deployment', namespace: 'n', name: 'controller' }, after: undefined },
    ])
  })

  test('a change of only checksums is one sentence', () => {
    expect(objectChanges([deployment('a')], [deployment('b')], shown)).toMatchObject([
      { summary: 'its pods restart: new checksum/secret-x' },
    ])
    expect(objectChanges([deployment('a')], [deployment('b', 0)], shown)).toMatchObject([
      { summary: undefined },
    ])
  })

  test('a Secret is reported as changed without its content', () => {
    const of = (data: object): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data,
    })
    const changes = objectChanges(
      [of({ same: btoa('one'), other: btoa('two') })],
      [of({ same: btoa('one'), other: btoa('three'), more: btoa('four') })],
      shown,
    )
    expect(changes).toMatchObject([
      {
        before: { data: { same: '(secret)', other: '(secret)' } },
        after: { data: { same: '(secret)', other: '(secret, changed)', more: '(secret)' } },
      },
    ])
    for (const text of ['one', 'two', 'three', 'four'])
      expect(JSON.stringify(changes)).not.toContain(btoa(text))
  })

  test('the changes have no credential, plain or in base64', () => {
    const of = (text: string): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c' },
      data: { text: `a ${text} b` },
    })
    const [value] = Object.values(secret.data)
    expect(objectChanges([of(value ?? '')], [of(btoa(value ?? ''))], shown)).toMatchObject([
      { before: { data: { text: 'a [redacted] b' } }, after: { data: { text: 'a [redacted] b' } } },
    ])
  })

  test('changes of certificates name their owners', async () => {
    const [old, next] = [await authority(), await authority()]
    const unknown = { ...shown, unknownCertificates: new Set([next.trim()]) }
    const changes = objectChanges([webhook(btoa(old))], [webhook(btoa(`${next}${old}`))], unknown)
    expect(changes).toMatchObject([
      {
        summary: expect.stringMatching(
          /^it trusts different certificates: certificate of ca-provider-tiny-[0-9a-f]{8} \(known after create\), certificate of ca-provider-tiny-[0-9a-f]{8} \(sha256 [0-9a-f]{8}\)$/,
        ),
      },
    ])
  })
})
