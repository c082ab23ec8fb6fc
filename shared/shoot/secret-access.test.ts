import { expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { secretAccess } from './open-shoot.ts'

const namespace = 'shoot--p--x'
const server = 'https://kube-apiserver.shoot--p--x.svc'

/** The generic kubeconfig as gardenlet creates it: it names the token by a path in pods. */
const kubeconfigOf = (user: object) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'shoot',
    clusters: [{ name: 'shoot', cluster: { server, 'certificate-authority-data': btoa('the CA') } }],
    contexts: [{ name: 'shoot', context: { cluster: 'shoot', user: 'user' } }],
    users: [{ name: 'user', user }],
  })
const generic = kubeconfigOf({ tokenFile: '/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig/token' })

const newSeed = (secrets: Record<string, Record<string, string>>) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const reads: string[] = []
  const get = async (
    _: unknown,
    { name }: { readonly name: string },
  ): Promise<KubernetesObject | undefined> => {
    reads.push(name)
    const data = secrets[name]
    return (
      data && {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace },
        data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
      }
    )
  }
  return { clock, reads, secrets, options: { kubernetes: { get }, clock } }
}

const shootAccess = { namespace, kubeconfig: 'generic-token-kubeconfig-1', token: 'shoot-access-trellis' }

test('the generic kubeconfig uses the token of a shoot access Secret', async () => {
  const { options } = newSeed({
    'generic-token-kubeconfig-1': { kubeconfig: generic },
    'shoot-access-trellis': { token: 'one' },
  })
  const access = await secretAccess(shootAccess, options)
  expect(access?.server).toBe(server)
  expect(await access?.credentials()).toEqual({
    headers: { authorization: 'Bearer one' },
    tls: { ca: 'the CA' },
  })
})

test('a renewed token is used after a minute, and at once if the old one is refused', async () => {
  const { options, secrets, clock } = newSeed({
    'generic-token-kubeconfig-1': { kubeconfig: generic },
    'shoot-access-trellis': { token: 'one' },
  })
  const access = await secretAccess(shootAccess, options)
  const tokenOf = async (refused?: object) =>
    (await access?.credentials(refused && ({ refused } as never)))?.headers.authorization
  const first = await access?.credentials()
  secrets['shoot-access-trellis'] = { token: 'two' }
  await clock.advance(59_000)
  expect(await tokenOf()).toBe('Bearer one')
  expect(await tokenOf(first)).toBe('Bearer two')
  secrets['shoot-access-trellis'] = { token: 'three' }
  await clock.advance(61_000)
  expect(await tokenOf()).toBe('Bearer three')
})

test('a renewed token within a kubeconfig is used', async () => {
  const { options, secrets } = newSeed({ gardener: { kubeconfig: kubeconfigOf({ token: 'one' }) } })
  const access = await secretAccess({ namespace, kubeconfig: 'gardener' }, options)
  const refused = await access?.credentials()
  secrets.gardener = { kubeconfig: kubeconfigOf({ token: 'two' }) }
  expect(await access?.credentials({ ...(refused && { refused }) })).toMatchObject({
    headers: { authorization: 'Bearer two' },
  })
})

test('a missing kubeconfig Secret gives no access', async () => {
  const { options } = newSeed({})
  expect(await secretAccess(shootAccess, options)).toBeUndefined()
})

test.each([
  [{ 'shoot-access-trellis': {} }, 'the Secret shoot--p--x/shoot-access-trellis has no key token'],
  [{}, 'secrets "shoot-access-trellis" not found'],
])('a missing token is reported with the name of its Secret', async (more, problem) => {
  const { options } = newSeed({ 'generic-token-kubeconfig-1': { kubeconfig: generic }, ...more })
  await expect(secretAccess(shootAccess, options)).rejects.toThrow(problem)
})

test('a kubeconfig that names a token file cannot be used without a token', async () => {
  const { options } = newSeed({ gardener: { kubeconfig: generic } })
  await expect(secretAccess({ namespace, kubeconfig: 'gardener' }, options)).rejects.toThrow(
    'cannot use the kubeconfig: unsupported field users.0.user.tokenFile',
  )
})
