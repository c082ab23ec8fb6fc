import { expect, test } from 'vitest'
import { inlineKubeconfigAccess } from './inline-kubeconfig.ts'

const planted = 'planted-secret-value'
const base64 = (text: string) => Buffer.from(text).toString('base64')

const kubeconfig = ({ cluster = {}, user = {}, ...rest }: Readonly<Record<string, object | string>> = {}) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'shoot',
    contexts: [{ name: 'shoot', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://kube-apiserver', ...Object(cluster) } }],
    users: [{ name: 'u', user }],
    ...rest,
  })

test('a token and the CA of the server are read', async () => {
  const access = await inlineKubeconfigAccess(
    kubeconfig({ cluster: { 'certificate-authority-data': base64('ca') }, user: { token: planted } }),
  )
  expect(access.server).toBe('https://kube-apiserver')
  expect(await access.credentials()).toEqual({
    headers: { authorization: `Bearer ${planted}` },
    tls: { ca: 'ca' },
  })
})

test('a certificate with its key and the server’s name are read', async () => {
  const access = await inlineKubeconfigAccess(
    kubeconfig({
      cluster: { 'tls-server-name': 'api' },
      user: { 'client-certificate-data': base64('cert'), 'client-key-data': base64('key') },
    }),
  )
  expect(await access.credentials()).toEqual({
    headers: {},
    tls: { servername: 'api', cert: 'cert', key: 'key' },
  })
})

test.each([
  ['a token in a file', { user: { tokenFile: planted } }, 'users.0.user.tokenFile'],
  ['a program', { user: { exec: { command: planted } } }, 'users.0.user.exec'],
  ['a key in a file', { user: { 'client-key': planted } }, 'users.0.user.client-key'],
  [
    'a CA in a file',
    { cluster: { 'certificate-authority': planted } },
    'clusters.0.cluster.certificate-authority',
  ],
  [
    'a server that is not checked',
    { cluster: { 'insecure-skip-tls-verify': true } },
    'clusters.0.cluster.insecure-skip-tls-verify',
  ],
  ['a proxy', { cluster: { 'proxy-url': planted } }, 'clusters.0.cluster.proxy-url'],
  ['no URL', { cluster: { server: planted } }, 'clusters.0.cluster.server'],
  [
    'a key that is not base64',
    { user: { 'client-key-data': `${planted}!` } },
    'users.0.user.client-key-data',
  ],
])('%s is refused with the name of the field and without its value', async (_, fields, field) => {
  const failure = await inlineKubeconfigAccess(kubeconfig(fields)).catch(String)
  expect(failure).toContain(field)
  expect(failure).not.toContain(planted)
})

test.each([
  ['no YAML', `{${planted}: [`],
  ['no context', kubeconfig({ 'current-context': planted })],
  ['nothing', ''],
])('a change batch with %s is refused', async (_, text) => {
  const failure = await inlineKubeconfigAccess(text).catch(String)
  expect(failure).toContain('kubeconfig')
  expect(failure).not.toContain(planted)
})
