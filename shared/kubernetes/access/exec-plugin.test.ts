import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import { authorize } from '../transport/authorize.ts'
import type { Credentials } from './cluster-access.ts'
import { execPlugin, type PluginOptions } from './exec-plugin.ts'
import { kubeconfigAccess } from './kubeconfig.ts'

const version = 'client.authentication.k8s.io/v1'
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-plugin-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A plugin that counts its runs, saves what it gets, and prints a token with the number of the run. */
const script = (status = '"token":"t\'$n\'"') => `#!/bin/sh
cd "$(dirname "$0")"
echo run >> runs; n=$(wc -l < runs | tr -d ' ')
printf %s "$KUBERNETES_EXEC_INFO" > info
echo 'open https://login in a browser' >&2
printf %s '{"apiVersion":"${version}","kind":"ExecCredential","status":{${status}}}'`

const install = async (text = script(), path = 'plugin') => {
  await writeFile(join(folder, path), text)
  await chmod(join(folder, path), 0o755)
}
const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).split('\n').length - 1
const info = async () => JSON.parse(await readFile(join(folder, 'info'), 'utf8'))

const write = async (exec: object, cluster: object = {}, user: object = {}) => {
  const file = join(folder, 'kubeconfig')
  await writeFile(
    file,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://managed-seed', ...cluster } }],
      users: [{ name: 'u', user: { exec: { apiVersion: version, command: './plugin', ...exec }, ...user } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  )
  return file
}

const silently = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly said: string }> => {
  const said: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(text => said.push(String(text)) > 0)
  try {
    const result = await work()
    return { result, said: said.join('') }
  } finally {
    spy.mockRestore()
  }
}

test('a plugin beside the kubeconfig gets the cluster that it asks for, and its words reach the user', async () => {
  await install()
  const extension = { name: 'client.authentication.k8s.io/exec', extension: { shootRef: { name: 'rose' } } }
  const file = await write(
    { provideClusterInfo: true, interactiveMode: 'IfAvailable' },
    {
      'certificate-authority-data': 'Q0E=',
      'tls-server-name': 'api',
      extensions: [{ name: 'other', extension: 1 }, extension],
    },
  )
  const access = await kubeconfigAccess({ file, clock: virtualClock(0) })
  const { result, said } = await silently(() => access.credentials())
  expect(said).toBe('open https://login in a browser\n')
  expect(result.headers).toEqual({ authorization: 'Bearer t1' })
  expect(await info()).toEqual({
    kind: 'ExecCredential',
    apiVersion: version,
    spec: {
      interactive: false,
      cluster: {
        server: 'https://managed-seed',
        'tls-server-name': 'api',
        'certificate-authority-data': 'Q0E=',
        config: extension.extension,
      },
    },
  })
})

test('a plugin that does not ask for the cluster does not get it, and a CA in a file becomes data', async () => {
  await install()
  await writeFile(join(folder, 'ca.crt'), 'CA')
  const clock = virtualClock(0)
  const file = await write({}, { 'certificate-authority': 'ca.crt' })
  await silently(async () => (await kubeconfigAccess({ file, clock })).credentials())
  expect((await info()).spec).toEqual({ interactive: false })
  const asking = await write({ provideClusterInfo: true }, { 'certificate-authority': 'ca.crt' })
  await silently(async () => (await kubeconfigAccess({ file: asking, clock })).credentials())
  expect((await info()).spec.cluster['certificate-authority-data']).toBe('Q0E=')
})

test('a command without a slash is looked up in PATH, and one with a slash beside the kubeconfig', async () => {
  await mkdir(join(folder, 'bin'))
  await install(script(), 'bin/only-in-path')
  const clock = virtualClock(0)
  const missing = await kubeconfigAccess({
    file: await write({ command: 'only-in-path', installHint: 'Install it from x' }),
    clock,
  })
  await expect(missing.credentials()).rejects.toThrow(
    "cannot run the kubeconfig's plugin only-in-path: there is no such program. Install it from x",
  )
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
  const inPath = await kubeconfigAccess({ file: await write({ command: 'only-in-path' }), clock })
  const beside = await kubeconfigAccess({ file: await write({ command: 'bin/only-in-path' }), clock })
  const { result } = await silently(async () => [await inPath.credentials(), await beside.credentials()])
  vi.unstubAllEnvs()
  expect(result.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2'])
})

test('a token that the server refuses is dropped once, and all waiting requests use the next one', async () => {
  await install()
  const access = await kubeconfigAccess({ file: await write({}), clock: virtualClock(0) })
  const sent: string[] = []
  const exchange = async (_: unknown, { headers }: Credentials) => {
    sent.push(String(headers.authorization))
    return {
      status: headers.authorization === 'Bearer t1' ? 401 : 200,
      headers: {},
      body: (async function* () {})(),
    }
  }
  const send = authorize(access, exchange)
  const request = { method: 'GET', path: '/', headers: {} } as const
  const { result } = await silently(() => Promise.all([send(request), send(request), send(request)]))
  expect(result.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(sent).toEqual([...Array(3).fill('Bearer t1'), ...Array(3).fill('Bearer t2')])
  expect(await runs()).toBe(2)
})

test('a token that is still refused ends with 401 after one more run', async () => {
  await install(script('"token":"same"'))
  const access = await kubeconfigAccess({ file: await write({}), clock: virtualClock(0) })
  const send = authorize(access, async () => ({ status: 401, headers: {}, body: (async function* () {})() }))
  const { result } = await silently(() => send({ method: 'GET', path: '/', headers: {} }))
  expect(result.status).toBe(401)
  expect(await runs()).toBe(2)
})

test('a plugin runs again only when its token expires', async () => {
  await install(script(`"token":"t'$n'","expirationTimestamp":"1970-01-01T00:10:00Z"`))
  const clock = virtualClock(0)
  const access = await kubeconfigAccess({ file: await write({}), clock })
  await silently(async () => {
    for (const [now, token] of [
      [0, 't1'],
      [300_000, 't1'],
      [599_000, 't1'],
      [700_000, 't2'],
    ] as const) {
      await clock.advance(now - clock.now())
      expect((await access.credentials()).headers.authorization).toBe(`Bearer ${token}`)
    }
  })
})

test.each([
  ['a certificate without its key', '"clientCertificateData":"C"', 'neither a token nor a certificate'],
  ['no status', '"x":1', 'neither a token'],
])('an answer with %s is refused without a quote of it', async (_, status, why) => {
  await install(script(status))
  const access = await kubeconfigAccess({ file: await write({}), clock: virtualClock(0) })
  await silently(() => expect(access.credentials()).rejects.toThrow(why))
})

test('a plugin that fails says why on the terminal and in the error', async () => {
  await install(`#!/bin/sh\necho 'the session has expired' >&2\nexit 3`)
  const access = await kubeconfigAccess({ file: await write({}), clock: virtualClock(0) })
  const said: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(text => Boolean(said.push(String(text))))
  await expect(access.credentials()).rejects.toThrow(
    /plugin .*\/plugin failed with exit code 3: the session has expired$/,
  )
  spy.mockRestore()
  expect(said.join('')).toContain('the session has expired')
})

const options = (exec: object, isTerminal: boolean): PluginOptions => ({
  user: { name: 'u', fields: { exec: { apiVersion: version, command: 'true', ...exec } } },
  cluster: { name: 'c', fields: {} },
  clock: virtualClock(0),
  isTerminal,
  say: () => {},
})

test('a plugin that needs a terminal is refused without one', async () => {
  expect(() => execPlugin(options({ interactiveMode: 'Always' }, false))).toThrow('needs a terminal')
  expect(() => execPlugin(options({ interactiveMode: 'Always' }, true))).not.toThrow()
  expect(() => execPlugin(options({ interactiveMode: 'Never' }, true))).not.toThrow()
})

test.each([
  [{ command: '' }, 'command'],
  [{ apiVersion: 'client.authentication.k8s.io/v1alpha1' }, 'apiVersion'],
  [{ interactiveMode: 'Sometimes' }, 'interactiveMode'],
])('an invalid exec is refused with its field: %j', (exec, field) => {
  expect(() => execPlugin(options(exec, false))).toThrow(`user u has an invalid exec: ${field}`)
})

test.each<[object, Record<string, unknown> | string]>([
  [
    {
      as: 'admin',
      'as-uid': '7',
      'as-groups': ['a', 'b,c'],
      'as-user-extra': { 'Example.com/Scopes%': ['x', 'y'] },
    },
    {
      'impersonate-user': 'admin',
      'impersonate-uid': '7',
      'impersonate-group': ['a', 'b,c'],
      'impersonate-extra-Example.com%2FScopes%25': ['x', 'y'],
    },
  ],
  [{ as: 'admin' }, { 'impersonate-user': 'admin' }],
  [{ 'as-groups': ['a'] }, 'without as'],
  [{ 'as-uid': '7' }, 'without as'],
  [{ 'as-user-extra': { a: ['b'] } }, 'without as'],
  [{ as: 'x', 'as-groups': 'a' }, 'invalid as-groups'],
])('a user who acts as another is sent whole or refused: %j', async (user, expected) => {
  const file = await write({}, {}, { exec: null, ...user })
  const opening = kubeconfigAccess({ file, clock: virtualClock(0) }).then(access => access.credentials())
  if (typeof expected === 'string') await expect(opening).rejects.toThrow(expected)
  else expect((await opening).headers).toEqual(expected)
})
