import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import { inClusterAccess } from './in-cluster.ts'
import { clusterAccess, kubeconfigAccess } from './kubeconfig.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-access-'))
})
afterEach(() => rm(folder, { recursive: true }))

const kubeconfig = (cluster: string, user: string): string => `apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: ${cluster} }]
users: [{ name: u, user: ${user} }]
contexts: [{ name: one, context: { cluster: c, user: u } }]
current-context: one
`

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const access = async (cluster: string, user: string) => {
  const file = join(folder, 'kubeconfig')
  await writeFile(file, kubeconfig(cluster, user))
  return kubeconfigAccess({ file, clock: virtualClock(0) })
}

describe('a kubeconfig', () => {
  test('a kubeconfig with client certificate and CA is supported', async () => {
    const { server, credentials } = await access(
      `{ server: 'https://10.0.0.1:6443', certificate-authority-data: ${base64('CA')} }`,
      `{ client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')} }`,
    )
    expect(server).toBe('https://10.0.0.1:6443')
    expect(await credentials()).toEqual({ headers: {}, tls: { ca: 'CA', cert: 'CERT', key: 'KEY' } })
  })

  test('a kubeconfig with token and without certificate checks is supported', async () => {
    const { credentials } = await access(
      `{ server: 'https://10.0.0.1:6443', insecure-skip-tls-verify: true }`,
      `{ token: secret }`,
    )
    expect(await credentials()).toEqual({
      headers: { authorization: 'Bearer secret' },
      tls: { rejectUnauthorized: false },
    })
  })

  test('a kubeconfig with user and password is supported', async () => {
    const { credentials } = await access(`{ server: 'https://x' }`, `{ username: me, password: pw }`)
    expect((await credentials()).headers).toEqual({ authorization: `Basic ${base64('me:pw')}` })
  })

  test('a kubeconfig of a server without TLS is supported', async () => {
    const { server, credentials } = await access(`{ server: 'http://127.0.0.1:8080' }`, '{}')
    expect(server).toBe('http://127.0.0.1:8080')
    expect((await credentials()).headers).toEqual({})
  })

  test('a kubeconfig with a proxy gives an agent for the proxy', async () => {
    const { credentials } = await access(`{ server: 'https://x', proxy-url: 'http://proxy:3128' }`, '{}')
    const first = await credentials()
    expect(first.agent).toBeDefined()
    expect(await credentials()).toBe(first)
  })

  test('a renewed certificate gives another agent for the proxy', async () => {
    const [cert, key] = [join(folder, 'cert'), join(folder, 'key')]
    await writeFile(key, 'KEY')
    await writeFile(cert, 'first')
    const { credentials } = await access(
      `{ server: 'https://x', proxy-url: 'http://proxy:3128' }`,
      `{ client-certificate: ${cert}, client-key: ${key} }`,
    )
    const first = await credentials()
    expect(await credentials({ refused: first })).toBe(first)
    await writeFile(cert, 'second')
    const second = await credentials({ refused: first })
    expect(second.tls.cert).toBe('second')
    expect(second.agent).not.toBe(first.agent)
    expect(String(Reflect.get(Object(second.agent), 'options').cert)).toBe('second')
  })

  test('an unknown context is an error with its name', async () => {
    const file = join(folder, 'kubeconfig')
    await writeFile(file, kubeconfig(`{ server: 'https://x' }`, '{}'))
    await expect(kubeconfigAccess({ file, context: 'two', clock: virtualClock(0) })).rejects.toThrow(
      'no cluster for context two',
    )
  })
})

test('without any kubeconfig no server is assumed', async () => {
  vi.stubEnv('HOME', folder)
  vi.stubEnv('KUBECONFIG', undefined)
  try {
    await expect(kubeconfigAccess({ clock: virtualClock(0) })).rejects.toThrow(
      'found no kubeconfig: give one',
    )
  } finally {
    vi.unstubAllEnvs()
  }
})

describe('a service account', () => {
  const inCluster = async (clock = virtualClock(0)) => {
    await writeFile(join(folder, 'token'), 'first\n')
    await writeFile(join(folder, 'ca.crt'), 'CA')
    return inClusterAccess({ host: '10.0.0.1', port: '443', clock, folder })
  }

  test('a service account has a token and a CA', async () => {
    const { server, credentials } = await inCluster()
    expect(server).toBe('https://10.0.0.1:443')
    expect(await credentials()).toEqual({ headers: { authorization: 'Bearer first' }, tls: { ca: 'CA' } })
  })

  test('the URL of an IPv6 cluster has brackets', () => {
    const { server } = inClusterAccess({ host: 'fd00::1', port: '443', clock: virtualClock(0), folder })
    expect(server).toBe('https://[fd00::1]:443')
  })

  test('a service account is read again after a minute', async () => {
    const clock = virtualClock(0)
    const { credentials } = await inCluster(clock)
    const first = await credentials()
    await writeFile(join(folder, 'token'), 'second')
    await clock.advance(59_000)
    expect(await credentials()).toBe(first)
    await clock.advance(1_000)
    expect((await credentials()).headers).toEqual({ authorization: 'Bearer second' })
  })

  test('refused credentials are read again at once, and an equal token gives the same credentials', async () => {
    const { credentials } = await inCluster()
    const first = await credentials()
    expect(await credentials({ refused: first })).toBe(first)
    await writeFile(join(folder, 'token'), 'second')
    expect((await credentials({ refused: first })).headers).toEqual({ authorization: 'Bearer second' })
  })

  test('a pod uses its service account unless it names a kubeconfig', async () => {
    const clock = virtualClock(0)
    const environment = { host: '10.0.0.9', port: '443' }
    expect((await clusterAccess({ inCluster: environment, clock })).server).toBe('https://10.0.0.9:443')
    const file = join(folder, 'kubeconfig')
    await writeFile(file, kubeconfig(`{ server: 'https://named' }`, '{}'))
    expect((await clusterAccess({ file, inCluster: environment, clock })).server).toBe('https://named')
  })
})
