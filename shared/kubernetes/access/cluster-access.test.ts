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
  test('with client certificate and CA', async () => {
    const { server, credentials } = await access(
      `{ server: 'https://10.0.0.1:6443', certificate-authority-data: ${base64('CA')} }`,
      `{ client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')} }`,
    )
    expect(server).toBe('https://10.0.0.1:6443')
    expect(await credentials()).toEqual({ headers: {}, tls: { ca: 'CA', cert: 'CERT', key: 'KEY' } })
  })

  test('with token and without checking of certificates', async () => {
    const { credentials } = await access(
      `{ server: 'https://10.0.0.1:6443', insecure-skip-tls-verify: true }`,
      `{ token: secret }`,
    )
    expect(await credentials()).toEqual({
      headers: { authorization: 'Bearer secret' },
      tls: { rejectUnauthorized: false },
    })
  })

  test('with user and password', async () => {
    const { credentials } = await access(`{ server: 'https://x' }`, `{ username: me, password: pw }`)
    expect((await credentials()).headers).toEqual({ authorization: `Basic ${base64('me:pw')}` })
  })

  test('of a server without TLS', async () => {
    const { server, credentials } = await access(`{ server: 'http://127.0.0.1:8080' }`, '{}')
    expect(server).toBe('http://127.0.0.1:8080')
    expect((await credentials()).headers).toEqual({})
  })

  test('with a proxy brings the agent that goes through it', async () => {
    const { credentials } = await access(`{ server: 'https://x', proxy-url: 'http://proxy:3128' }`, '{}')
    const first = await credentials()
    expect(first.agent).toBeDefined()
    expect(await credentials()).toBe(first)
  })

  test('without the named context is an error that names it', async () => {
    const file = join(folder, 'kubeconfig')
    await writeFile(file, kubeconfig(`{ server: 'https://x' }`, '{}'))
    await expect(kubeconfigAccess({ file, context: 'two', clock: virtualClock(0) })).rejects.toThrow(
      'no cluster for context two',
    )
  })
})

test('without any kubeconfig nothing is tried', async () => {
  vi.stubEnv('HOME', folder)
  vi.stubEnv('KUBECONFIG', undefined)
  try {
    await expect(kubeconfigAccess({ clock: virtualClock(0) })).rejects.toThrow('no kubeconfig is named')
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

  test('gives token and CA', async () => {
    const { server, credentials } = await inCluster()
    expect(server).toBe('https://10.0.0.1:443')
    expect(await credentials()).toEqual({ headers: { authorization: 'Bearer first' }, tls: { ca: 'CA' } })
  })

  test('of a cluster with IPv6 has brackets', () => {
    const { server } = inClusterAccess({ host: 'fd00::1', port: '443', clock: virtualClock(0), folder })
    expect(server).toBe('https://[fd00::1]:443')
  })

  test('is read again after a minute', async () => {
    const clock = virtualClock(0)
    const { credentials } = await inCluster(clock)
    const first = await credentials()
    await writeFile(join(folder, 'token'), 'second')
    await clock.advance(59_000)
    expect(await credentials()).toBe(first)
    await clock.advance(1_000)
    expect((await credentials()).headers).toEqual({ authorization: 'Bearer second' })
  })

  test('is read again at once when it is refused, and the same token is the same credentials', async () => {
    const { credentials } = await inCluster()
    const first = await credentials()
    expect(await credentials({ refused: first })).toBe(first)
    await writeFile(join(folder, 'token'), 'second')
    expect((await credentials({ refused: first })).headers).toEqual({ authorization: 'Bearer second' })
  })

  test('is what a pod uses unless it names a kubeconfig', async () => {
    const clock = virtualClock(0)
    const environment = { host: '10.0.0.9', port: '443' }
    expect((await clusterAccess({ inCluster: environment, clock })).server).toBe('https://10.0.0.9:443')
    const file = join(folder, 'kubeconfig')
    await writeFile(file, kubeconfig(`{ server: 'https://named' }`, '{}'))
    expect((await clusterAccess({ file, inCluster: environment, clock })).server).toBe('https://named')
  })
})
