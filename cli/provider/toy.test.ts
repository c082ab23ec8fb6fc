import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { findFunctions } from '../../functions/find-functions.ts'
import { functionManifest } from '../../knative/function-manifest.ts'
import { createSentences } from '../../sandbox/narration/sentence.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { cloudOptions } from '../../sandbox/providers/flags.ts'
import { isReady } from '../../sandbox/providers/objects.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { devCommand } from '../commands/dev.ts'
import { planCommand } from '../commands/plan.ts'
import { replayCommand } from '../commands/replay.ts'
import { planObjects } from '../plan/plan-object.ts'
import { replayFiles } from '../replay/replay-files.ts'
import { create, saved } from '../replay/testing/replay-run.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { simulateToy } from './testing/functions/toy/toy-cloud.ts'

const found = new URL('testing/functions/', import.meta.url)
const providers = await findProviders(found)
const functionsRoot = fileURLToPath(found)
const functions = await findFunctions(functionsRoot)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-toy-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A record of the toy, as a saved event and as an object. */
const record = async () => {
  const event = await saved(create)
  const data = { ...event.data, spec: { ...event.data.spec, type: 'toy' } }
  return { event: { ...event, provider: 'toy', data }, data }
}

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'dnsrecord-rose-external', namespace: 'shoot--garden--rose' },
  data: { token: btoa('any') },
}

const file = async (name: string, content: string): Promise<string> => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

test('the provider is discovered, and every command has its flags and its name', async () => {
  expect(providers.map(({ name }) => name)).toEqual(['toy'])
  expect((await findProviders()).map(({ name }) => name)).toEqual(['aws', 'local', 'openstack'])
  // The help folds its lines.
  const help = devCommand(providers)
    .helpInformation()
    .replaceAll(/\n +(?!-)/g, ' ')
  expect(help).toContain('broker, functions and Toy.')
  expect(help).toContain('port of a cloud (default: the system chooses); CLOUD: toy')
  expect(help).toContain('0.01 makes a name take no time')
  const replay = replayCommand([...(await findProviders()), ...providers])
  for (const name of ['toy', 'aws'])
    for (const flag of [`--${name}-state <file>`, `--save-${name}-state <file>`, `--${name}-endpoint <url>`])
      expect(replay.options.map(({ flags }) => flags)).toContain(flag)
  expect(planCommand(providers).helpInformation()).toContain('read this Toy (default: Nobody)')
})

test('a flag that each cloud has is one line in the help, and CLOUD in it is refused', async () => {
  const command = replayCommand(providers)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  expect(command.helpInformation()).toContain('--CLOUD-state <file>')
  expect(command.helpInformation()).not.toContain('--toy-state')
  await expect(command.parseAsync(['--CLOUD-state', 'x', 'file'], { from: 'user' })).rejects.toThrow(
    'replace CLOUD by one of: toy',
  )
})

test('a provider in a folder with another name is refused', async () => {
  await file('package.json', '{"type":"module"}')
  const root = new URL(`file://${folder}/functions/`)
  await mkdir(new URL('other/', root), { recursive: true })
  await writeFile(new URL('other/provider.ts', root), "export const provider = { name: 'another' }\n")
  await expect(findProviders(root)).rejects.toThrow(
    'functions/other/provider.ts: provider.name: expected "other", the name of its folder, found "another"',
  )
})

test('the toy runs in a seed: an event wakes its function, and each call to the toy is logged', async () => {
  const sentences: string[] = []
  const sentenceOf = createSentences()
  const sandbox = await startSandbox({
    providers,
    functions,
    manifests: [
      join(import.meta.dirname, '../../knative/base'),
      await file('toy.yaml', functions.map(one => functionManifest(one)).join('---\n')),
    ],
    idleMs: 30_000,
    observe: event => {
      const sentence = sentenceOf(event)
      if (sentence !== undefined) sentences.push(`${sentence.part} ${sentence.text}`)
    },
  })
  try {
    const { data } = await record()
    const { namespace = '', name, uid: _, resourceVersion: __, generation: ___, ...metadata } = data.metadata
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
    const secrets = { ...namespaces, plural: 'secrets', namespaced: true }
    await sandbox.kubernetes.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    })
    await sandbox.kubernetes.create(secrets, secret)
    const { resource } = kinds.DNSRecord
    await sandbox.kubernetes.create(resource, {
      ...data,
      metadata: {
        ...metadata,
        namespace,
        name,
        annotations: { ...metadata.annotations, [annotations.timestamp]: new Date().toISOString() },
      },
    })
    while (!isReady(await sandbox.kubernetes.get(resource, { namespace, name })))
      await sandbox.clock.sleep(10)
    expect(sandbox.clouds.toy?.snapshot()).toEqual({ 'api.rose.example.com': ['203.0.113.10'] })
    expect(sentences).toContain('function toy-dnsrecord wakes up')
    expect(sentences.filter(text => text.startsWith('toy '))).toEqual([
      'toy names put api.rose.example.com → 203.0.113.10 (DNSRecord shoot--garden--rose/rose-external)',
    ])
    // It is also served over HTTP, and only its own functions get its environment.
    const url = sandbox.cloudUrls.toy ?? ''
    expect(sandbox.cloudEnvironment({ file: 'functions/toy/dnsrecord/function.ts' })).toEqual({
      TOY_URL: url,
    })
    expect(sandbox.cloudEnvironment({ file: 'functions/other/dnsrecord/function.ts' })).toEqual({})
    const body = JSON.stringify(['get', 'api.rose.example.com'])
    expect(await (await fetch(url, { method: 'POST', body })).json()).toEqual(['203.0.113.10'])
  } finally {
    await sandbox.close()
  }
})

test('replay uses the toy with an initial and a final state, as text and as data, or at an endpoint', async () => {
  const { event } = await record()
  const path = await file('event.json', JSON.stringify(event))
  const replay = async (flags: Readonly<Record<string, string>>, output: 'text' | 'json' = 'text') => {
    let text = ''
    const options = { output, functionsRoot, clouds: cloudOptions(flags, providers) }
    const write = (more: string) => {
      text += more
    }
    const stdin = Readable.from([])
    const ok = await replayFiles([path], options, { providers, stdin, write, color: false })
    expect(ok).toBe(true)
    return text
  }
  const saveToyState = join(folder, 'state.json')
  const first = await replay({ saveToyState })
  expect(first).toContain('function    toy-dnsrecord\noutcome     succeeded\n')
  expect(first).toContain('toy         1 read, 1 write\n  names put api.rose.example.com → 203.0.113.10\n')
  expect(await replay({ toyState: saveToyState })).toContain('toy         1 read, 0 writes\n')
  const [printed] = JSON.parse(await replay({}, 'json'))
  expect(printed.toy.writes[0].sentence).toBe('names put api.rose.example.com → 203.0.113.10')

  const cloud = simulateToy()
  const { url, close } = await cloud.listen({ port: 0 })
  try {
    expect(await replay({ toyEndpoint: url })).toContain('toy         1 read, 1 write')
    expect(cloud.snapshot()).toEqual({ 'api.rose.example.com': ['203.0.113.10'] })
    await expect(replay({ toyEndpoint: url, toyState: saveToyState })).rejects.toThrow(
      '--toy-state needs the simulated Toy and cannot be combined with --toy-endpoint',
    )
  } finally {
    await close()
  }
})

test('plan supports its kind, beside the plans of another cloud', async () => {
  const all = [...(await findProviders()), ...providers]
  const planOf = async (data: KubernetesObject, connection: unknown) => {
    const path = await file('record.yaml', [data, secret].map(object => `---\n${stringify(object)}`).join(''))
    let text = ''
    const differs = await planObjects(
      [path],
      { output: 'text' },
      {
        providers: all,
        connection,
        stdin: Readable.from([]),
        write: more => {
          text += more
        },
      },
    )
    return { text, differs }
  }
  const { data } = await record()
  const cloud = simulateToy()
  expect(await planOf(data, cloud.connection)).toEqual({
    differs: true,
    text: 'Reconciling DNSRecord shoot--garden--rose/rose-external in the toy\n\n+ put api.rose.example.com\n',
  })
  const made = simulateToy({ 'api.rose.example.com': ['203.0.113.10'] })
  expect((await planOf(data, made.connection)).differs).toBe(false)
  const other = { ...data, spec: { ...data.spec, type: 'third' } }
  await expect(planOf(other, cloud.connection)).rejects.toThrow(
    'has type third; trellis plan supports aws-route53, local, openstack-designate and toy',
  )
})
