import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { issueCertificate } from '../../secrets-manager/certificates/issue-certificate.ts'
import { objectChanges } from './object-changes.ts'
import type { ShownOptions } from './shown-objects.ts'

const secret = { name: 'cloudprovider', namespace: 'n', labels: {}, data: { key: 'planted-secret-value' } }
const shown: ShownOptions = { secret, unknownNames: new Map(), unknownCertificates: new Set() }

const deployment = (checksum: string, replicas = 1): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'controller', namespace: 'n' },
  spec: { replicas, template: { metadata: { annotations: { 'checksum/secret-x': checksum, other: 'a' } } } },
})

const keys = generateKeyPairSync('rsa', { modulusLength: 1024 })
const authority = (commonName: string) =>
  issueCertificate({
    kind: 'ca',
    commonName,
    organization: [],
    dnsNames: [],
    ipAddresses: [],
    notBefore: Date.parse('2026-01-01T00:00:00Z'),
    notAfter: Date.parse('2036-01-01T00:00:00Z'),
    keys,
  } as never)

const webhook = (caBundle: string): KubernetesObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: [{ name: 'one', clientConfig: { caBundle } }],
})

describe('what a plan tells of objects', () => {
  test('is nothing of those that stay, however their fields are ordered', () => {
    const { kind, ...rest } = deployment('a')
    expect(objectChanges([deployment('a')], [{ ...rest, kind, status: undefined } as never], shown)).toEqual(
      [],
    )
  })

  test('is which come and which go', () => {
    expect(objectChanges([deployment('a')], [webhook('')], shown)).toMatchObject([
      { kind: 'create', id: { kind: 'MutatingWebhookConfiguration', name: 'w' }, before: undefined },
      { kind: 'delete', id: { kind: 'Deployment', namespace: 'n', name: 'controller' }, after: undefined },
    ])
  })

  test('is one sentence where nothing but a checksum is another', () => {
    expect(objectChanges([deployment('a')], [deployment('b')], shown)).toMatchObject([
      { summary: 'its pods start anew: another checksum/secret-x' },
    ])
    expect(objectChanges([deployment('a')], [deployment('b', 0)], shown)).toMatchObject([
      { summary: undefined },
    ])
  })

  test('is never what a Secret holds, but that it holds something else', () => {
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
        after: { data: { same: '(secret)', other: '(secret, another one)', more: '(secret)' } },
      },
    ])
    for (const text of ['one', 'two', 'three', 'four'])
      expect(JSON.stringify(changes)).not.toContain(btoa(text))
  })

  test('has no credential, plain or in base64', () => {
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

  test('is of certificates whose they are', async () => {
    const [old, next] = [await authority('ca-old'), await authority('ca-new')]
    const unknown = { ...shown, unknownCertificates: new Set([next.trim()]) }
    const changes = objectChanges([webhook(btoa(old))], [webhook(btoa(`${next}${old}`))], unknown)
    expect(changes).toMatchObject([
      {
        summary: expect.stringMatching(
          /^it trusts other certificates: certificate of ca-new \(known after create\), certificate of ca-old \(sha256 [0-9a-f]{8}\)$/,
        ),
      },
    ])
  })
})
