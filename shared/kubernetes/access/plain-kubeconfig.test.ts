import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPlainKubeconfig } from './plain-kubeconfig.ts'

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
        { name: 'one', context: { cluster: 'c', user: 'u', namespace: 'x' } },
      ],
      'current-context': 'one',
    }),
  )
  return file
}

/** What client-node makes of it: authorization and TLS material. */
const oracle = async (file: string) => {
  const config = new KubeConfig()
  config.loadFromFile(file)
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  const text = (value: unknown) => (value === undefined ? undefined : String(value))
  return {
    server: config.getCurrentCluster()?.server,
    authorization: (options.headers as Record<string, string> | undefined)?.Authorization,
    ca: text(options.ca),
    cert: text(options.cert),
    key: text(options.key),
    servername: options.servername,
    rejectUnauthorized: options.rejectUnauthorized,
  }
}

describe('a kubeconfig with a token or a certificate', () => {
  it.each<[string, object, object]>([
    ['data', { 'certificate-authority-data': base64('CA') }, { token: 't' }],
    [
      'files beside it',
      { 'certificate-authority': 'ca.crt' },
      { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' },
    ],
    ['no checking of certificates', { 'insecure-skip-tls-verify': true }, { token: 't' }],
    ['a name for the certificate', { 'tls-server-name': 'kubernetes' }, {}],
    ['nobody', {}, {}],
  ])('is read as client-node reads it: %s', async (_, cluster, user) => {
    const file = await write({ server: 'https://10.0.0.1:6443', ...cluster }, user)
    const plain = await readPlainKubeconfig(file)
    const { headers, tls } = (await plain?.credentials()) ?? {}
    expect({
      server: plain?.server,
      authorization: headers?.authorization,
      ca: tls?.ca,
      cert: tls?.cert,
      key: tls?.key,
      servername: tls?.servername,
      rejectUnauthorized: tls?.rejectUnauthorized,
    }).toEqual(await oracle(file))
  })

  it('takes the data before the file of the same meaning, as kubectl does and client-node does not', async () => {
    const plain = await readPlainKubeconfig(
      await write(
        {
          server: 'https://x',
          'certificate-authority-data': base64('CA'),
          'certificate-authority': 'absent',
        },
        {},
      ),
    )
    expect((await plain?.credentials())?.tls).toEqual({ ca: 'CA' })
  })

  it('takes the token of the file before the one in it, and reads that file again', async () => {
    const plain = await readPlainKubeconfig(
      await write({ server: 'https://x' }, { token: 't', tokenFile: 'token' }),
    )
    expect((await plain?.credentials())?.headers).toEqual({ authorization: 'Bearer from file' })
    await writeFile(join(folder, 'token'), 'renewed')
    expect((await plain?.credentials())?.headers).toEqual({ authorization: 'Bearer renewed' })
  })

  it('takes the context that is named', async () => {
    expect((await readPlainKubeconfig(await write({ server: 'https://x' }, {}), 'two'))?.server).toBe(
      'https://other',
    )
  })
})

it.each<[string, object, object]>([
  ['an exec plugin', {}, { exec: { command: 'x' } }],
  ['an auth provider', {}, { 'auth-provider': { name: 'oidc' } }],
  ['a password', {}, { username: 'a', password: 'b' }],
  ['another user to act as', {}, { token: 't', as: 'b' }],
  ['a proxy', { 'proxy-url': 'http://proxy' }, {}],
])('one that needs %s is left to client-node', async (_, cluster, user) => {
  expect(await readPlainKubeconfig(await write({ server: 'https://x', ...cluster }, user))).toBeUndefined()
})

it('one without the context, or that is none at all, is left to client-node', async () => {
  expect(await readPlainKubeconfig(await write({ server: 'https://x' }, {}), 'three')).toBeUndefined()
  expect(await readPlainKubeconfig(join(folder, 'ca.crt'))).toBeUndefined()
})
