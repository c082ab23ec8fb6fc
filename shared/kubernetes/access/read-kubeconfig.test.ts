import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import type { Credentials } from './cluster-access.ts'
import { readKubeconfig as read } from './read-kubeconfig.ts'

const readKubeconfig = async (file: string, context?: string) => {
  const found = await read(file, context, virtualClock(0))
  if (found === undefined) throw new TypeError('there is no kubeconfig')
  return found
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-kubeconfig-'))
  for (const [name, text] of [
    ['ca.crt', 'CA FILE'],
    ['tls.crt', 'CERT FILE'],
    ['tls.key', 'KEY FILE'],
    ['token', 'from file\n'],
  ] as const) {
    await writeFile(join(folder, name), text)
  }
})
afterAll(() => rm(folder, { recursive: true }))

const base64 = (text: string) => Buffer.from(text).toString('base64')

const write = async (cluster: object, user: object) => {
  const file = join(folder, 'kubeconfig')
  await writeFile(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'other', cluster: { server: 'https://other' } },
        { name: 'c', cluster },
      ],
      users: [{ name: 'u', user }],
      contexts: [
        { name: 'two', context: { cluster: 'other', user: 'u' } },
        { name: 'nobody', context: { cluster: 'c' } },
        { name: 'one', context: { cluster: 'c', user: 'u', namespace: 'x' } },
      ],
      'current-context': 'one',
    }),
  )
  return file
}

describe('a kubeconfig with a token or a certificate', () => {
  test.each<[string, object, object, Credentials]>([
    [
      'data',
      { 'certificate-authority-data': base64('CA') },
      { token: 't' },
      { headers: { authorization: 'Bearer t' }, tls: { ca: 'CA' } },
    ],
    [
      'files beside it',
      { 'certificate-authority': 'ca.crt' },
      { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' },
      { headers: {}, tls: { ca: 'CA FILE', cert: 'CERT FILE', key: 'KEY FILE' } },
    ],
    [
      'no checking of certificates',
      { 'insecure-skip-tls-verify': true },
      { token: 't' },
      { headers: { authorization: 'Bearer t' }, tls: { rejectUnauthorized: false } },
    ],
    [
      'a name for the certificate',
      { 'tls-server-name': 'kubernetes' },
      {},
      { headers: {}, tls: { servername: 'kubernetes' } },
    ],
    ['nobody', {}, {}, { headers: {}, tls: {} }],
    [
      'another user to act as',
      {},
      { token: 't', as: 'b' },
      { headers: { authorization: 'Bearer t', 'impersonate-user': 'b' }, tls: {} },
    ],
  ])('the credentials come from the kubeconfig: %s', async (_, cluster, user, expected) => {
    const { server, credentials } = await readKubeconfig(
      await write({ server: 'https://10.0.0.1:6443', ...cluster }, user),
    )
    expect({ server, credentials: await credentials() }).toEqual({
      server: 'https://10.0.0.1:6443',
      credentials: expected,
    })
  })

  test('the CA of the cluster is used without a user too', async () => {
    const { credentials } = await readKubeconfig(
      await write({ server: 'https://x', 'certificate-authority-data': base64('CA') }, {}),
      'nobody',
    )
    expect((await credentials()).tls).toEqual({ ca: 'CA' })
  })

  test('inline data overrides its file, as in kubectl but not in client-node', async () => {
    const { credentials } = await readKubeconfig(
      await write(
        {
          server: 'https://x',
          'certificate-authority-data': base64('CA'),
          'certificate-authority': 'absent',
        },
        {},
      ),
    )
    expect((await credentials()).tls).toEqual({ ca: 'CA' })
  })

  test('the token file overrides the inline token and is read again', async () => {
    const { credentials } = await readKubeconfig(
      await write({ server: 'https://x' }, { token: 't', tokenFile: 'token' }),
    )
    expect((await credentials()).headers).toEqual({ authorization: 'Bearer from file' })
    await writeFile(join(folder, 'token'), 'renewed')
    expect((await credentials()).headers).toEqual({ authorization: 'Bearer renewed' })
  })

  test('the certificate file is read again', async () => {
    await writeFile(join(folder, 'rotated.crt'), 'FIRST')
    const { credentials } = await readKubeconfig(
      await write({ server: 'https://x', 'certificate-authority': 'rotated.crt' }, {}),
    )
    expect((await credentials()).tls).toEqual({ ca: 'FIRST' })
    await writeFile(join(folder, 'rotated.crt'), 'RENEWED')
    expect((await credentials()).tls).toEqual({ ca: 'RENEWED' })
  })

  test('the named context is used', async () => {
    expect((await readKubeconfig(await write({ server: 'https://x' }, {}), 'two')).server).toBe(
      'https://other',
    )
  })
})

describe('a kubeconfig with incomplete entries', () => {
  const withIncomplete = async (current: string) => {
    const file = join(folder, 'incomplete')
    await writeFile(
      file,
      JSON.stringify({
        clusters: [
          { name: 'c', cluster: { server: 'https://c' } },
          { name: 'no server', cluster: { 'insecure-skip-tls-verify': true } },
        ],
        users: [{ name: 'u', user: { token: 't' } }],
        contexts: [
          { name: 'one', context: { cluster: 'c', user: 'u' } },
          // The form that `kubectl config set-context --namespace` writes.
          { name: 'namespace only', context: { cluster: '', namespace: 'x', user: '' } },
          { name: 'two', context: { cluster: 'no server', user: 'u' } },
        ],
        'current-context': current,
      }),
    )
    return readKubeconfig(file)
  }

  test('incomplete entries that the context does not use are ignored', async () => {
    const { server, credentials } = await withIncomplete('one')
    expect(server).toBe('https://c')
    expect((await credentials()).headers).toEqual({ authorization: 'Bearer t' })
  })

  test('incomplete entries that the context uses are reported', async () => {
    await expect(withIncomplete('two')).rejects.toThrow('cluster no server of context two has no server')
  })
})

test('the plugin of a kubeconfig runs', async () => {
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' }
  const answer = JSON.stringify({ ...credential, status: { token: 'from plugin' } })
  const exec = { apiVersion: credential.apiVersion, command: 'echo', args: [answer] }
  const { credentials } = await readKubeconfig(await write({ server: 'https://x' }, { exec }))
  expect((await credentials()).headers).toEqual({ authorization: 'Bearer from plugin' })
})

test('a kubeconfig without the context is refused with a list of its contexts', async () => {
  const file = await write({ server: 'https://x' }, {})
  await expect(readKubeconfig(file, 'three')).rejects.toThrow(
    `cannot read the kubeconfig ${file}: no cluster for context three; its contexts are `,
  )
})

test('a kubeconfig without a current context is refused', async () => {
  await expect(readKubeconfig(join(folder, 'ca.crt'))).rejects.toThrow('it is not a map')
})

describe('the server of a kubeconfig', () => {
  const ca = { 'certificate-authority-data': base64('CA') }
  test.each([
    ['10.0.0.1:6443', {}, 'http://10.0.0.1:6443'],
    ['api.example:6443/path', { 'insecure-skip-tls-verify': true }, 'https://api.example:6443/path'],
    ['api.example', ca, 'https://api.example'],
    ['[::1]:6443', ca, 'https://[::1]:6443'],
    ['HTTPS://api.example/', {}, 'HTTPS://api.example'],
  ])('%s with %j is %s, as in kubectl', async (server, fields, expected) => {
    expect((await readKubeconfig(await write({ server, ...fields }, {}))).server).toBe(expected)
  })

  test.each(['ftp://x', 'https://', 'https://x:99999', 'no host', '::1', 'unix:///run/api'])(
    '%s is refused with the entry that has it',
    async server => {
      await expect(readKubeconfig(await write({ server }, {}))).rejects.toThrow(
        'cluster c of context one has a server that is no URL of http or https',
      )
    },
  )
})

test.each([
  [{ 'certificate-authority': 'absent' }, {}],
  [{}, { 'client-certificate': 'absent', 'client-key': 'absent' }],
  [{}, { tokenFile: 'absent' }],
])('a file that is missing is an error of the credentials: %j %j', async (cluster, user) => {
  const { credentials } = await readKubeconfig(await write({ server: 'https://x', ...cluster }, user))
  await expect(credentials()).rejects.toThrow(
    /^cannot read the credentials of the kubeconfig: ENOENT.*absent'$/,
  )
})
