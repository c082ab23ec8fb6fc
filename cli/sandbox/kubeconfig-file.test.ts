import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kubeconfigFor } from '../../sandbox/kubernetes/kubernetes.ts'
import { writeKubeconfig } from './kubeconfig-file.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-kubeconfig-file-'))
  file = join(folder, 'config')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const ours = kubeconfigFor('http://127.0.0.1:41000')
const later = kubeconfigFor('http://127.0.0.1:42000')
const isThere = () =>
  stat(file).then(
    () => true,
    () => false,
  )

test('the kubeconfig is written for its user only, and removed at the end', async () => {
  const { path, remove } = await writeKubeconfig(ours, file)
  expect(path).toBe(file)
  expect(await readFile(file, 'utf8')).toBe(ours)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await remove()
  expect(await isThere()).toBe(false)
})

test.each([
  ['an empty file', ' \n'],
  ['the kubeconfig of an earlier sandbox', later],
  [
    'one in which kubectl has set a namespace',
    later.replace('user: trellis\n', 'namespace: x\n    user: trellis\n'),
  ],
])('%s is replaced', async (_, before) => {
  await writeFile(file, before)
  const { remove } = await writeKubeconfig(ours, file)
  expect(await readFile(file, 'utf8')).toBe(ours)
  await remove()
  expect(await isThere()).toBe(false)
})

const entry = (name: string, server = 'https://prod.example') => ({
  clusters: [{ name, cluster: { server } }],
  users: [{ name, user: { token: 'x' } }],
  contexts: [{ name, context: { cluster: name, user: name } }],
})
const merged = (...all: readonly ReturnType<typeof entry>[]) => ({
  clusters: all.flatMap(one => one.clusters),
  users: all.flatMap(one => one.users),
  contexts: all.flatMap(one => one.contexts),
})
const text = (lists: object) =>
  `${JSON.stringify(lists).slice(0, -1)},\n"x": 1}\n#\ncurrent-context: trellis\n`
const yaml = (lists: object) =>
  `${Object.entries(lists)
    .map(([name, list]) => `${name}: ${JSON.stringify(list)}`)
    .join('\n')}\ncurrent-context: trellis\n`

test.each([
  ["a user's cluster that is also called trellis", yaml(entry('trellis'))],
  [
    'a cluster of the user beside the sandbox',
    yaml(merged(entry('trellis', 'http://127.0.0.1:1'), entry('prod'))),
  ],
  [
    'a user beside the sandbox',
    yaml({ ...entry('trellis', 'http://127.0.0.1:1'), users: entry('prod').users }),
  ],
  [
    'a context beside the sandbox',
    yaml({ ...entry('trellis', 'http://127.0.0.1:1'), contexts: entry('prod').contexts }),
  ],
  ['no YAML', text(entry('trellis'))],
  ['only a current context', 'current-context: trellis\n'],
  ['another kubeconfig', yaml(entry('prod')).replace('current-context: trellis', 'current-context: prod')],
])('a file with %s is refused and stays', async (_, before) => {
  await writeFile(file, before)
  await expect(writeKubeconfig(ours, file)).rejects.toThrow('holds another kubeconfig')
  expect(await readFile(file, 'utf8')).toBe(before)
})

test.each([
  ['a later sandbox has written it', later],
  ['the user has added a cluster', yaml(merged(entry('trellis', 'http://127.0.0.1:41000'), entry('prod')))],
])('a file is not removed at the end if %s', async (_, meanwhile) => {
  const { remove } = await writeKubeconfig(ours, file)
  await writeFile(file, meanwhile)
  await remove()
  expect(await readFile(file, 'utf8')).toBe(meanwhile)
})

test('a file that is already gone at the end is no error', async () => {
  const { remove } = await writeKubeconfig(ours, file)
  await rm(file)
  await remove()
})
