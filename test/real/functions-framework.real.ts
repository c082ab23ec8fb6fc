import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  compactName,
  findPrograms,
  snapshotArgs,
  writeBundles,
  writeSnapshot,
} from '../../build/images/images.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { freePort } from './free-port.ts'
import { reconcileMessage } from './reconcile-message.ts'
import { startServerProcess } from './server-process.ts'

const framework = createRequire(import.meta.url).resolve('@google-cloud/functions-framework')
const program = join(dirname(framework), 'main.js')

let folder = ''
let kubernetes: Awaited<ReturnType<ReturnType<typeof createApiServer>['listen']>>
const server = createApiServer({ clock: systemClock, objects: allCrds() })
/** One function of each kind. */
const functions = [...new Map((await findFunctions()).map(found => [found.kind, found])).values()]

/** The function whose bundle and snapshot are served. Those of all functions run in Knative: see `knative`. */
const one = functions.find(({ kind }) => kind === 'DNSRecord')
const compact = compactName('local')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-functions-framework-'))
  kubernetes = await server.listen()
  writeFileSync(
    join(folder, 'kubeconfig'),
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: kubernetes.url } }],
      contexts: [{ name: 'one', context: { cluster: 'c' } }],
      'current-context': 'one',
    }),
  )
  const names = [one?.name, compact]
  const programs = (await findPrograms()).filter(({ name }) => names.includes(name))
  for await (const _ of writeBundles(programs, join(folder, 'bundles')));
})
afterAll(async () => {
  await kubernetes.close()
  server.close()
  rmSync(folder, { recursive: true })
})

/** Starts a process and returns its answer to an event for a deleted object: nothing to do. */
const answerOf = async (
  args: readonly string[],
  { name, kind, types }: (typeof functions)[number],
  path = '/',
): Promise<number> => {
  const port = await freePort()
  const running = startServerProcess({
    command: process.execPath,
    args,
    env: {
      PATH: process.env.PATH,
      KUBECONFIG: join(folder, 'kubeconfig'),
      AWS_REGION: 'eu-west-1',
      TRELLIS_ADDRESS: '127.0.0.1',
      PORT: String(port),
    },
  })
  let isOver = false
  void running.ended.then(() => {
    isOver = true
  })
  const { headers, body } = reconcileMessage(kind, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind,
    metadata: {
      name: 'gone',
      ...(kinds[kind].resource.namespaced ? { namespace: 'shoot--foo--bar' } : {}),
      uid: 'u-1',
      generation: 1,
      resourceVersion: '7',
    },
    spec: { type: types[0] },
  })
  try {
    for (;;) {
      if (isOver) throw new Error(`${name} ended: ${running.output()}`)
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      if (answer !== undefined) return answer.status
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  } finally {
    await running.stop()
  }
}

test.each(functions.map(found => [found.kind, found] as const))(
  'the functions framework serves the source of %s',
  async (_, found) => {
    expect(await answerOf([program, `--source=${found.file}`, `--target=${found.name}`], found)).toBe(204)
  },
)

test.each(one === undefined ? [] : [one])(
  'the functions framework serves the bundle and the snapshot of $name',
  async found => {
    const bundle = join(folder, 'bundles', found.name)
    const source = join(bundle, 'main.cjs')
    expect(await answerOf([program, `--source=${source}`, `--target=${found.name}`], found)).toBe(204)
    await writeSnapshot(bundle)
    expect(await answerOf(snapshotArgs(bundle), found)).toBe(204)
  },
)

test('the functions framework serves the functions of one process, each at the path of its name', async () => {
  const bundle = join(folder, 'bundles', compact)
  await writeSnapshot(bundle)
  for (const found of functions.filter(({ name }) => name.startsWith('local-')).slice(0, 2))
    expect(await answerOf(snapshotArgs(bundle), found, `/${found.name}`)).toBe(204)
})

test('the command line of the functions framework serves one of the functions of such a bundle', async () => {
  const source = join(folder, 'bundles', compact, 'main.cjs')
  const [found] = functions.filter(({ name }) => name.startsWith('local-'))
  if (found === undefined) throw new Error('there is no function of provider-local')
  expect(await answerOf([program, `--source=${source}`, `--target=${found.name}`], found)).toBe(204)
})
