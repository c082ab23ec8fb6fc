import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { givenAway } from '../../../test/e2e/planted.ts'
import { seedWith, startRecording, without } from '../testing/recorded.ts'

const namespace = 'shoot--garden--rose'
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

/** Values in Secrets of the shoot: only a search for the value finds them. */
const stored = {
  password: 'planted correct horse battery',
  AWS_SECRET_ACCESS_KEY: 'planted/works+with=a-key-of-forty-letters',
  note: 'planted-value-of-an-unknown-key',
  file: `[default]\naws_access_key_id = AKIAX\naws_secret_access_key = planted/In+a9File/Zz01`,
}
const fileKey = 'planted/In+a9File/Zz01'
/** Values that are in no readable Secret: fields and shapes give them away. */
const loose = {
  inline: 'planted-inline-file-content',
  unit: 'planted-unit-environment',
  dropIn: 'planted-drop-in',
  userData: '#!/bin/sh planted-user-data',
  extensionFile: 'planted-extension-file',
  oidc: 'planted-oidc-client-secret',
  plugin: 'planted-admission-password',
  state: 'planted-state-private-key-body',
  registry: 'planted-registry-password',
  applied: 'planted-last-applied',
  urlPassword: 'planted-url-password1',
  token: 'planted-bearer-token-0123456789',
  pem: 'PLANTEDPEMBODYPLANTEDPEMBODYPLANTEDPEMBODY',
  zipped: 'planted-zipped-password',
  env: 'planted-environment-value',
  json: 'planted-json-in-a-text',
}
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${loose.pem}\n-----END RSA PRIVATE KEY-----\n`
const extension = (kind: string, name: string, rest: object): KubernetesObject =>
  ({
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind,
    metadata: { name, namespace, uid: `uid-${name}`, annotations: { own: `key ${stored.note}!` } },
    ...rest,
  }) as KubernetesObject

const values = Object.values(stored).filter(value => !value.includes('\n'))
const planted = [...values, fileKey, ...Object.values(loose)]

const objects: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudprovider', namespace },
    data: Object.fromEntries(Object.entries(stored).map(([key, value]) => [key, base64(value)])),
  },
  {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace, uid: 'uid-cluster' },
    spec: {
      cloudProfile: {},
      seed: {},
      shoot: {
        metadata: {
          annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"a":"${loose.applied}"}` },
          managedFields: [{ manager: loose.applied }],
        },
        spec: {
          kubernetes: {
            kubeAPIServer: {
              oidcConfig: { clientAuthentication: { secret: loose.oidc } },
              admissionPlugins: [{ name: 'X', config: { nested: [{ password: loose.plugin }] } }],
            },
          },
          extensions: [
            { type: 'x', providerConfig: { upstream: `https://me:${loose.urlPassword}@r.example.com/` } },
          ],
        },
      },
    },
  },
  extension('OperatingSystemConfig', 'osc', {
    spec: {
      type: 'gardenlinux',
      purpose: 'reconcile',
      files: [
        { path: '/a', content: { inline: { encoding: 'b64', data: base64(loose.inline) } } },
        { path: '/b', content: { inline: { encoding: '', data: loose.inline } } },
      ],
      units: [
        { name: 'u', content: `Environment=${loose.unit}`, dropIns: [{ name: 'd', content: loose.dropIn }] },
      ],
      criConfig: {
        name: 'containerd',
        containerd: {
          sandboxImage: 'pause',
          plugins: [{ path: ['registry'], values: { auth: { password: loose.registry } } }],
        },
      },
    },
    status: {
      extensionFiles: [{ path: '/c', content: { inline: { encoding: '', data: loose.extensionFile } } }],
    },
  }),
  extension('Bastion', 'bastion', {
    spec: { type: 'aws', userData: base64(loose.userData), ingress: [] },
  }),
  extension('Worker', 'worker', {
    spec: {
      type: 'aws',
      region: 'eu-west-1',
      secretRef: { name: 'cloudprovider', namespace },
      pools: [],
    },
  }),
  extension('Infrastructure', 'infra', {
    spec: { type: 'aws', region: 'eu-west-1', secretRef: { name: 'cloudprovider', namespace } },
    status: {
      state: {
        data: { PrivateKey: loose.state, key: pem, zip: base64(gzipSync(`{"password":"${loose.zipped}"}`)) },
        text: `{"kubeconfig":"${loose.json}"}`,
        env: [{ name: 'API_TOKEN', value: loose.env }],
      },
      lastError: { description: `cannot sign in with ${stored.AWS_SECRET_ACCESS_KEY}: ${stored.password}` },
      lastOperation: {
        type: 'Create',
        state: 'Error',
        progress: 50,
        lastUpdateTime: '2026-11-21T10:00:00Z',
        description: `${base64(`x${fileKey}`)} and ${encodeURIComponent(stored.AWS_SECRET_ACCESS_KEY)}`,
      },
    },
  }),
  extension('Extension', 'ext', {
    spec: {
      type: 'acl',
      providerConfig: {
        header: `Authorization: Bearer ${loose.token}`,
        nested: JSON.stringify({ clientSecret: loose.json }),
        hex: Buffer.from(stored.note).toString('hex'),
      },
    },
  }),
]

const record = async (refused: boolean) => {
  const { server, kubernetes } = seedWith(objects)
  const recording = startRecording({
    kubernetes: without(kubernetes, (_, plural) => refused && plural === 'secrets'),
    tap: async recorder => {
      recorder.step('2026-11-21T10:00:00.000Z', {
        event: 'e',
        function: 'f',
        object: `Infrastructure ${namespace}/infra`,
        operation: 'reconcile',
        began: '2026-11-21T10:00:00.000Z',
        ms: 1,
        outcome: 'failed',
        reason: `bad ${stored.note}`,
        calls: [
          {
            to: 'cloud',
            name: 'iam X',
            args: `{"Password":"${loose.plugin}"}`,
            after: 0,
            ms: 1,
            status: '200',
          },
        ],
      })
    },
  })
  const expected = objects.filter(({ kind }) => !['Namespace', 'Secret'].includes(kind))
  for (const { kind, metadata } of expected)
    await recording.until(
      entry => entry.type === 'object' && entry.id.startsWith(`${kind} `) && entry.id.endsWith(metadata.name),
    )
  await recording.end()
  server.close()
  return recording
}

test('no secret enters a journal, wherever an object or a step contains it', async () => {
  const { text } = await record(false)
  expect(givenAway(text(), planted)).toEqual([])
})

test('the API server accepts recorded objects, as a replay needs', async () => {
  const { entries } = await record(false)
  const recorded = entries.flatMap(entry => {
    const { object } = entry as { readonly object?: KubernetesObject | string }
    if (object === undefined || typeof object === 'string') return []
    const { resourceVersion: _, ...metadata } = object.metadata
    return [{ ...object, metadata } as KubernetesObject]
  })
  expect(recorded).toHaveLength(6)
  seedWith([...objects.filter(({ kind }) => kind === 'Namespace'), ...recorded]).server.close()
})

test('without a permission to read Secrets, fields and shapes are still removed, and the journal says so', async () => {
  const { text, entries } = await record(true)
  expect(givenAway(text(), Object.values(loose))).toEqual([])
  expect(entries).toContainEqual(
    expect.objectContaining({
      type: 'gap',
      why: expect.stringContaining('values of Secrets: they cannot be read (403)'),
    }),
  )
})

test('a value that changes has another placeholder, and an equal value the same', async () => {
  const { server, kubernetes } = seedWith(objects)
  const recording = startRecording({ kubernetes })
  const id = `OperatingSystemConfig ${namespace}/osc`
  await recording.until(entry => entry.type === 'object' && entry.id === id)
  const change = (content: string) =>
    kubernetes.patch(
      kinds.OperatingSystemConfig.resource,
      { name: 'osc', namespace },
      { spec: { units: [{ name: 'u', content }] } },
    )
  for (const content of [`Environment=${loose.unit}`, 'another planted content']) {
    const { metadata } = await change(content)
    const isThere = (entry: object) =>
      JSON.stringify(entry).includes(`"resourceVersion":"${metadata.resourceVersion}"`)
    await recording.until(isThere)
  }
  await recording.end()
  server.close()
  const placeholders = recording.text().matchAll(/"name":"u","content":"(\[redacted [0-9a-f]{8}\])"/g)
  const [first, second, third] = [...placeholders].map(([, placeholder]) => placeholder)
  expect([typeof first, second, third === first]).toEqual(['string', first, false])
})
