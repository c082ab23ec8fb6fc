import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accessOf } from '../../../cli/open-cluster.ts'
import { hasKubectl } from '../../../sandbox/kubernetes/testing/kubectl.ts'
import { virtualClock } from '../../clock/clock.ts'
import type { ClusterAccess } from './cluster-access.ts'
import { inlineKubeconfigAccess } from './inline-kubeconfig.ts'
import { clusterAccess, kubeconfigAccess } from './kubeconfig.ts'

const context = (name: string, cluster: string, user: string) => ({ name, context: { cluster, user } })
const config = (fields: object) => JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...fields })

/** Contents by path. A table of lists of these is read by kubectl and by each way of Trellis. */
const files: Readonly<Record<string, string>> = {
  a: config({
    'current-context': 'one',
    clusters: [{ name: 'c', cluster: { server: 'https://a' } }],
    users: [{ name: 'u', user: { token: 'a' } }],
    contexts: [context('one', 'c', 'u')],
  }),
  b: config({
    'current-context': 'two',
    clusters: [
      { name: 'c', cluster: { server: 'https://b', 'insecure-skip-tls-verify': true } },
      { name: 'd', cluster: { server: 'https://d/path/' } },
    ],
    users: [
      { name: 'u', user: { token: 'b' } },
      { name: 'v', user: { token: 'v' } },
    ],
    contexts: [context('one', 'd', 'v'), context('two', 'd', 'u'), context('three', 'c', 'v')],
  }),
  'no current': config({
    clusters: [{ name: 'd', cluster: { server: 'https://early' } }],
    contexts: [context('two', 'c', 'v')],
  }),
  'folder/relative': config({
    'current-context': 'files',
    clusters: [{ name: 'f', cluster: { server: 'https://f', 'certificate-authority': 'ca.crt' } }],
    users: [{ name: 'f', user: { tokenFile: '../token' } }],
    contexts: [context('files', 'f', 'f')],
  }),
  incomplete: config({
    'current-context': 'one',
    clusters: [
      { name: 'broken', cluster: { 'certificate-authority': 'missing' } },
      { name: 'c', cluster: { server: 'https://complete' } },
    ],
    users: [
      { name: 'w', user: { exec: { command: '' }, 'client-key': 'missing' } },
      { name: 'u', user: { token: 'x' } },
    ],
    contexts: [context('one', 'c', 'u'), context('half', '', ''), { name: 'none' }],
  }),
  '1.1': 'current-context: yes\nclusters: [{name: 0x10, cluster: {server: https://x}}]\n',
  yaml: 'current-context: one\nclusters: [{name: c, cluster: &c {server: "https://y"}}, {name: d, cluster: {<<: *c}}]\nusers: [{name: u, user: {token: "0600"}}]\ncontexts: [{name: one, context: {cluster: d, user: u}}]\n',
  empty: '',
  comment: '# nothing\n',
  double: config({
    clusters: [
      { name: 'c', cluster: { server: 'https://1' } },
      { name: 'c', cluster: { server: 'https://2' } },
    ],
  }),
  'no list': 'clusters: {}\n',
  'no yaml': 'a: b: c\n',
  unknown: config({ 'current-context': 'nowhere', contexts: [context('one', 'absent', 'absent')] }),
  'folder/ca.crt': 'CA',
  token: 'from file\n',
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-as-kubectl-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
})
afterAll(() => rm(folder, { recursive: true }))

interface Found {
  readonly server: string
  readonly token: string
  readonly ca: string
}

/** kubectl's result with the content of the files that the context names; undefined if it refuses them. */
const byKubectl = (list: string): Promise<Found | undefined> =>
  new Promise(resolve => {
    const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: list }
    const args = ['config', 'view', '--minify', '--raw', '--flatten', '-o', 'json']
    execFile('kubectl', args, { env, cwd: folder }, (error, output) => {
      if (error !== null) return resolve(undefined)
      const { clusters, users } = JSON.parse(output)
      const cluster = clusters?.[0]?.cluster
      if (!cluster?.server) return resolve(undefined)
      const { token, tokenFile } = users?.[0]?.user ?? {}
      const ca = Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString()
      // --flatten does not read the token's file.
      resolve({ server: cluster.server.replace(/\/$/, ''), token: tokenFile ? 'from file' : token, ca })
    })
  })

const found = async (opening: Promise<ClusterAccess>): Promise<Found | undefined> => {
  const access = await opening.catch(() => undefined)
  if (access === undefined) return undefined
  const { headers, tls } = await access.credentials()
  return {
    server: access.server,
    token: String(headers.authorization).replace('Bearer ', ''),
    ca: tls.ca ?? '',
  }
}

const lists = [
  ['a'],
  ['b'],
  ['a', 'b'],
  ['b', 'a'],
  ['no current', 'a'],
  ['no current', 'b'],
  ['b', 'no current'],
  ['missing', 'a'],
  ['a', 'missing', 'b'],
  ['empty', 'comment', 'b'],
  ['', 'a', ''],
  ['a', 'a'],
  ['folder/relative'],
  ['a', 'folder/relative'],
  ['folder/relative', 'a'],
  ['empty', 'folder/relative'],
  ['incomplete'],
  ['incomplete', 'a'],
  ['a', 'incomplete'],
  ['1.1'],
  ['yaml'],
  ['yaml', 'a'],
  ['a', 'double'],
  ['double'],
  ['a', 'no list'],
  ['a', 'no yaml'],
  ['no yaml', 'a'],
  ['unknown'],
  ['unknown', 'a'],
  ['a', 'unknown'],
  ['a', 'folder'],
  ['empty'],
  ['missing'],
  ['missing', 'empty'],
  [''],
]

/** If CI requires it, the test fails without kubectl. */
const skipped = !hasKubectl() && process.env.CI === undefined

test.skipIf(skipped).each(lists.map(list => [list.join(':')]))(
  `KUBECONFIG=%s means the same cluster to kubectl and to each program${skipped ? ' (skipped: there is no kubectl on the PATH)' : ''}`,
  async names => {
    const list = names
      .split(':')
      .map(name => (name === '' ? '' : join(folder, name)))
      .join(':')
    const expected = await byKubectl(list || join(folder, '.kube/config'))
    vi.stubEnv('KUBECONFIG', list)
    vi.stubEnv('HOME', folder)
    try {
      const clock = virtualClock(0)
      const ways = {
        'the default': () => kubeconfigAccess({ clock }),
        'a command': () => accessOf({}),
        'a command with --kubeconfig': () => accessOf({ kubeconfig: list }),
        'a function or the bridge': () => clusterAccess({ file: list, clock }),
      }
      for (const [way, open] of Object.entries(ways)) expect.soft(await found(open()), way).toEqual(expected)
    } finally {
      vi.unstubAllEnvs()
    }
  },
)

test('a kubeconfig of a Secret may have incomplete entries that nothing uses', async () => {
  const access = await inlineKubeconfigAccess(files.incomplete ?? '')
  expect(await found(Promise.resolve(access))).toEqual({ server: 'https://complete', token: 'x', ca: '' })
})

test('relative paths of a list are relative to their files', async () => {
  vi.stubEnv('KUBECONFIG', `${join(folder, 'missing')}:${join(folder, 'folder/relative')}`)
  try {
    const access = await kubeconfigAccess({ clock: virtualClock(0) })
    expect(await access.credentials()).toEqual({
      headers: { authorization: 'Bearer from file' },
      tls: { ca: 'CA' },
    })
  } finally {
    vi.unstubAllEnvs()
  }
})
